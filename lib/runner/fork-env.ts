/** The environment of a fork: built, not inherited. */
import { NEVER_IN_FORKS } from '../suite/whole-run.js';

/** Kept from the host where set: what programs need to find their files and to format text, nothing that steers Node or V8. */
const KEPT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  // Where the addon is, or that there shall be none: a fork that decided otherwise than the host would measure with another clock.
  'TSCOPE_ADDON_PATH',
  'TSCOPE_FAST_CALLS',
  'TSCOPE_NO_ADDON',
  'TSCOPE_LOCK_DIR',
  // Windows cannot start a process without these.
  'SystemRoot',
  'SYSTEMROOT',
  'windir',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'PATHEXT',
];

/** Longest padding, bytes: one page, beyond which the stack's alignment repeats. */
const MAX_PADDING = 4096;

/**
 * Environment variables of a fork.
 *
 * @param host The host's environment.
 * @param keep Further names to keep, as the user asked.
 * @param random In [0, 1): length of a padding variable. The size of the environment shifts the stack and has moved scores by several
 *   per cent (Mytkowicz et al., Producing Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009); varied from fork to fork, the
 *   shift is averaged and shows in the interval.
 * @param tag Identifies the fork, so that one left behind by a killed host can be recognised.
 */
export function forkEnv(
  host: Readonly<Record<string, string | undefined>>,
  keep: readonly string[],
  random: number,
  tag: string,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of [...KEPT, ...Object.keys(host).filter((key) => key.startsWith('LC_')), ...keep]) {
    const value = host[name];
    if (value !== undefined && !NEVER_IN_FORKS.includes(name)) env[name] = value;
  }
  env.TSCOPE_FORK = tag;
  env.TSCOPE_PADDING = 'x'.repeat(Math.floor(random * MAX_PADDING));
  return env;
}
