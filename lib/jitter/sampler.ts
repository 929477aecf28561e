import { hotClock } from '../clock/hot.js';
import { type Outcome, type Refusal, refused, withoutAddon } from '../cpu/outcome.js';
import { loadAddon } from '../native/load.js';
import type { JitterSurface } from '../native/surface/jitter.js';
import type { StartRefusal, ThreadHandle } from '../native/surface/thread.js';
import { startRefused } from '../thread/refusal.js';
import { checkOptions, type SamplerOptions } from './options.js';
import { type JitterResult, toResult } from './result.js';

/** A sampler that runs. It does not keep the process alive until its result is asked for. */
export interface Sampler {
  readonly kind: 'spin' | 'sleep';
  /** null = not pinned. */
  readonly cpu: number | null;
  /** Asks it to end and returns at once; may be called again. */
  stop(): void;
  /** What it found, once it has ended. Keeps the event loop alive until then. */
  result(): Promise<JitterResult>;
}

const EBUSY = 16;

/**
 * Starts a sampler on a native thread of its own, with a second one beside it that reads the machine's counters ten times a second.
 * Returns when the thread is placed; nothing of the sampling happens on the event loop. The first call in a thread also opens its
 * clock (20 ms).
 *
 * Refusals are values: `EBUSY` (this process already has a sampler on the CPU), `EINVAL` (no such CPU, or not allowed), `EPERM`
 * (`fifo` without the right to it), `EAGAIN` (too many threads), `UNSUPPORTED` (pinning outside Linux), `NO_ADDON`.
 *
 * @throws TypeError, RangeError for options out of their range.
 */
export function start(options: SamplerOptions = {}): Outcome<Sampler> {
  const checked = checkOptions(options);
  const what = `jitter sampler${checked.cpu >= 0 ? ` on CPU ${checked.cpu}` : ''}`;
  const { addon, reason } = loadAddon();
  const surface = addon?.jitter;
  if (!surface) return withoutAddon(what, reason);
  const clock = hotClock();
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const kernel = clock.info.hzPpm === null;
  const handle = surface.start({ ...checked, nsPerTick: clock.nsPerTick, kernel }, () => ended());
  if ('step' in handle) return toRefusal(what, checked.cpu, handle);
  return new RunningSampler(surface, handle, end, {
    kind: checked.sleep ? 'sleep' : 'spin',
    cpu: checked.cpu >= 0 ? checked.cpu : null,
    fifo: checked.fifo,
  });
}

class RunningSampler implements Sampler {
  readonly ok = true;
  readonly kind: 'spin' | 'sleep';
  readonly cpu: number | null;
  readonly #surface: JitterSurface;
  readonly #handle: ThreadHandle;
  readonly #result: Promise<JitterResult>;

  constructor(
    surface: JitterSurface,
    handle: ThreadHandle,
    end: Promise<void>,
    about: Pick<JitterResult, 'kind' | 'cpu' | 'fifo'>,
  ) {
    this.#surface = surface;
    this.#handle = handle;
    this.kind = about.kind;
    this.cpu = about.cpu;
    this.#result = end.then(() => toResult(surface.result(handle)!, about));
  }

  stop(): void {
    this.#surface.stop(this.#handle);
  }

  result(): Promise<JitterResult> {
    this.#surface.hold(this.#handle);
    return this.#result;
  }
}

function toRefusal(what: string, cpu: number, refusal: StartRefusal & { readonly busy: boolean }): Refusal {
  if (refusal.busy) {
    return refused(EBUSY, what, {
      default: 'This process already samples that CPU: stop that sampler and await its result, or use another CPU.',
    });
  }
  return startRefused(what, cpu, refusal);
}
