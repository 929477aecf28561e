const { constants } = process.getBuiltinModule('node:os');
const { getSystemErrorName } = process.getBuiltinModule('node:util');

/**
 * What a call that the machine may refuse returns. A refusal is a value, never a throw: `errno` is the system's number
 * (positive; null when no system call was made), `code` its name (`EPERM`, or one of ours such as `UNSUPPORTED`),
 * `message` what was refused, `hint` what to do about it.
 */
export type Outcome<T = unknown> = ({ ok: true } & T) | Refusal;

/** The refusing half of {@link Outcome}. */
export interface Refusal {
  ok: false;
  errno: number | null;
  code: string;
  message: string;
  hint: string;
}

/** Advice per errno name for one kind of call; `default` for all others. */
export type Hints = Readonly<Record<string, string> & { default: string }>;

/** A refusal by the system: `errno` as the addon returned it. */
export function refused(errno: number, message: string, hints: Hints): Refusal {
  const code = errnoName(errno);
  const notSupported = errno === constants.errno.ENOTSUP || errno === constants.errno.EOPNOTSUPP;
  // On Linux one number means both "this platform cannot" and "this device cannot"; a hint for it says it is the latter.
  if (notSupported && (process.platform !== 'linux' || hints[code] === undefined)) {
    return unsupported(message, process.platform);
  }
  return { ok: false, errno, code, message: `${message}: ${code}`, hint: hints[code] ?? hints.default };
}

/** A refusal because this platform has no such thing. */
export function unsupported(message: string, platform: string): Refusal {
  return {
    ok: false,
    errno: null,
    code: 'UNSUPPORTED',
    message: `${message}: not supported on ${platform}`,
    hint: 'This needs Linux; measure there, or go on without it and expect more noise.',
  };
}

/** A refusal because the native addon is not loaded. */
export function withoutAddon(message: string, reason: string | null): Refusal {
  return {
    ok: false,
    errno: null,
    code: 'NO_ADDON',
    message: `${message}: the native addon is not loaded${reason ? ` (${reason})` : ''}`,
    hint: 'Build it with `npm run build:addon` (a C++17 compiler is needed), or go on without it.',
  };
}

function errnoName(errno: number): string {
  try {
    return getSystemErrorName(-errno);
  } catch {
    return `errno ${errno}`;
  }
}
