import { allowedCpus } from '../../cpu/index.js';
import { type JitterResult, type Sampler, start } from '../../jitter/index.js';
import { EXIT } from '../io.js';
import { jitterJson, jitterText } from './jitter-text.js';

export interface JitterFlags {
  /** CPUs to sample, all at once. Default: the highest one this process may use. */
  readonly cpu?: readonly number[];
  /** Default 5000. */
  readonly durationMs?: number;
  readonly json?: boolean;
  /** Sample late wake-ups of a sleeping thread instead of the gaps of a busy one. */
  readonly sleep?: boolean;
  readonly thresholdNs?: number;
}

/** What it needs of the terminal; ctrl-C (`signal`) ends the sampling early, and what was found is printed. */
export interface JitterIo {
  out(text: string): void;
  err(text: string): void;
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Gaps kept with their times: more than anybody reads, few enough to print. */
const KEPT = 1000;

/**
 * `tscope jitter`: what the machine takes from a running thread.
 *
 * @returns 0; 3 when the machine refuses (no such CPU, no addon), with the reason and what to do on stderr.
 * @throws TypeError, RangeError on flags out of range.
 */
export async function runJitter(flags: JitterFlags, io: JitterIo): Promise<number> {
  const { durationMs = 5000, thresholdNs } = flags;
  const cpus = flags.cpu && flags.cpu.length > 0 ? [...new Set(flags.cpu)] : (allowedCpus() ?? []).slice(-1);
  const kind = flags.sleep ? 'sleep' : 'spin';
  const samplers: Sampler[] = [];
  // No CPU is known where threads cannot be pinned: one sampler then, wherever the system puts it.
  for (const cpu of cpus.length > 0 ? cpus : [undefined]) {
    const sampler = start({
      kind,
      durationMs,
      capacity: KEPT,
      ...(cpu === undefined ? {} : { cpu }),
      ...(thresholdNs === undefined ? {} : { thresholdNs }),
    });
    if (!sampler.ok) {
      for (const other of samplers) other.stop();
      await Promise.all(samplers.map((other) => other.result()));
      io.err(`${sampler.message}. ${sampler.hint}\n`);
      return EXIT.environment;
    }
    samplers.push(sampler);
  }
  const stop = () => {
    for (const sampler of samplers) sampler.stop();
  };
  io.signal?.addEventListener('abort', stop, { once: true });
  if (io.signal?.aborted) stop();
  const results: JitterResult[] = await Promise.all(samplers.map((sampler) => sampler.result()));
  io.signal?.removeEventListener('abort', stop);
  io.out(flags.json ? jitterJson(results) : results.map((result) => jitterText(result, io.columns ?? 80)).join('\n'));
  if (io.signal?.aborted) return io.signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  return EXIT.ok;
}
