/** Why did the process end? From what was seen to one failure with one clear sentence, or none. */
import type { Failure } from '../result/model.js';
import type { ProcessEnd } from './launch.js';

/** Everything known about the end of a process. */
export interface Ending {
  readonly end: ProcessEnd;
  /** It said that everything ran. */
  readonly done: boolean;
  /** The failure it reported itself. */
  readonly failed: Pick<Failure, 'phase' | 'message' | 'stack'> | null;
  /** A violation of the protocol. */
  readonly problem: string | null;
  /** The host stopped it: its time was over, it was silent for too long, or it lingered after "done". */
  readonly stopped:
    | { readonly why: 'timeout' | 'silence'; readonly afterMs: number }
    | { readonly why: 'lingering' }
    | null;
  /** Where it was, completing "it ended ...". */
  readonly phase: string;
  readonly stderr: string;
}

/** The failure of fork `fork`, or null when all is well. */
export function failureOf(ending: Ending, fork: number | null): Failure | null {
  const { end } = ending;
  const failure = (phase: string, message: string, stack: string | null = null): Failure => ({
    phase,
    message,
    stack,
    fork,
    exitCode: end.code,
    signal: end.signal,
  });
  if (end.error !== null) return failure('launch', `the process could not be started: ${end.error}`);
  if (ending.failed) return failure(ending.failed.phase, ending.failed.message, ending.failed.stack);
  if (ending.stopped?.why === 'timeout' || ending.stopped?.why === 'silence') {
    const silent = ending.stopped.why === 'silence' ? ' without a sign of life' : '';
    return failure(
      'timeout',
      `stopped after ${seconds(ending.stopped.afterMs)}${silent} ${ending.phase}: an endless loop, a promise that never settles, or a time limit too short for it (raise the timeout)`,
    );
  }
  if (ending.problem !== null) return failure('protocol', `the fork broke the protocol: ${ending.problem}`);
  if (ending.done && (ending.stopped?.why === 'lingering' || (end.code === 0 && end.signal === null))) return null;
  if (outOfMemory(ending)) {
    return failure(
      'out-of-memory',
      `the JavaScript heap ran out of memory ${ending.phase}: make it keep less, or give forks more with --node-args=--max-old-space-size=<MiB>`,
      fatalText(ending.stderr),
    );
  }
  if (end.signal !== null) return failure('signal', `killed by ${end.signal} ${ending.phase}${signalHint(end.signal)}`);
  if (ending.done)
    return failure(
      'exit',
      `exited with code ${end.code} ${ending.phase}: something set process.exitCode or failed late`,
    );
  if (end.code === 0) {
    return failure(
      'exit',
      `the process ended by itself ${ending.phase}: something called process.exit(), or is awaited and can never settle`,
    );
  }
  if (end.code === 13) return failure('exit', `a top-level await can never settle; the process ended ${ending.phase}`);
  const cause = lastError(ending.stderr) ?? refusal(ending);
  return failure(
    'exit',
    `exited with code ${end.code} ${ending.phase}: ${cause ?? 'something called process.exit() or crashed the process'}`,
    cause === null ? null : ending.stderr,
  );
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}

function outOfMemory({ stderr, end }: Ending): boolean {
  const died = end.signal !== null || (end.code !== null && end.code !== 0);
  return (
    died &&
    /JavaScript heap out of memory|Fatal JavaScript invalid size error|^FATAL ERROR: .*(?:heap limit|Allocation failed)/m.test(
      stderr,
    )
  );
}

function fatalText(stderr: string): string | null {
  return /^(?:FATAL ERROR|# Fatal).*$/m.exec(stderr)?.[0] ?? null;
}

function signalHint(signal: string): string {
  switch (signal) {
    case 'SIGKILL':
      return ': by someone else, perhaps the kernel because memory ran out (see dmesg)';
    case 'SIGABRT':
      return ': process.abort() or a fatal error in native code';
    case 'SIGSEGV':
    case 'SIGBUS':
    case 'SIGILL':
    case 'SIGFPE':
      return ': a crash in native code';
    default:
      return '';
  }
}

/** What Node says when it does not even start: exit code 9 is a bad option, and user code has not run yet. */
function refusal({ end, stderr }: Ending): string | null {
  return end.code === 9
    ? (/^.*(?:bad option|is not allowed|requires an argument|must be).*$/m.exec(stderr)?.[0].trim() ?? null)
    : null;
}

/** The line of an uncaught error, as Node prints it. */
function lastError(stderr: string): string | null {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:Uncaught )?\w*(?:Error|Exception)\b.*:|^\[?\w*Error\b/.test(line));
  return lines.at(-1)?.trim() ?? null;
}
