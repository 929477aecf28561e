import { events, type Refusal, type Survey, survey } from '../../counters/index.js';
import { UsageError } from '../../runner/usage-error.js';
import { EXIT } from '../io.js';
import { countersText } from './counters-text.js';

export interface CountersFlags {
  /** Only these events; default all. */
  readonly events?: readonly string[];
  /** Count the kernel's part as well. Default false. */
  readonly kernel?: boolean;
  /** Try rdpru in a child process where it is not advertised. Default false. */
  readonly probe?: boolean;
  readonly json?: boolean;
}

interface CountersIo {
  out(text: string): void;
  err(text: string): void;
  readonly columns?: number;
}

/**
 * `tscope counters`: which events can be counted here and which not, where cycles come from and what an empty section costs.
 *
 * @returns 0; 3 when none of the events can be counted or there is no addon, with what to do on stderr.
 * @throws UsageError for an event that does not exist.
 */
export async function runCounters(flags: CountersFlags, io: CountersIo): Promise<number> {
  const { kernel = false, probe = false } = flags;
  const names = flags.events && [...new Set(flags.events.map((name) => name.trim()))];
  const known = events()?.map(({ name }) => name);
  const unknown = names?.find((name) => known && !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--events: there is no event "${unknown}"; use ${known!.join(', ')}.`);
  }
  const found = survey({ kernel, probe, ...(names ? { events: names } : {}) });
  const refusal = found.ok ? nothing(found.survey) : found;
  if (flags.json) {
    io.out(`${JSON.stringify({ survey: found.ok ? found.survey : null, refusal }, null, 2)}\n`);
  } else if (found.ok) {
    io.out(countersText(found.survey, io.columns ?? 80));
  }
  if (!refusal) return EXIT.ok;
  // JSON has it already.
  if (!flags.json) io.err(`${refusal.message}. ${refusal.hint}\n`);
  return EXIT.environment;
}

/** The refusal when no event can be counted: that of the first one, which is the one most wanted. */
function nothing({ available, missing }: Survey): Refusal | null {
  const [first] = missing;
  if (available.length > 0 || !first) return null;
  const { errno, code, hint } = first;
  const what = missing.length === 1 ? `${first.name} cannot` : `none of ${missing.length} events can`;
  return { ok: false, errno, code, message: `counters: ${what} be counted here: ${code}`, hint };
}
