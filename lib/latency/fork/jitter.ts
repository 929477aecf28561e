import { type JitterResult, start } from '../../jitter/index.js';
import type { Finding } from '../../result/model.js';
import type { JitterSummary } from '../model.js';

const KEPT = 64;
/** Long enough for a few scheduler ticks and timer interrupts, short against any run. */
const FLOOR_MS = 500;

/** What the sampling thread noticed, in words; `nothing` is the sampler's name for a gap in which its own counters did not move. */
function causeOf(evidence: string | undefined): string {
  if (evidence === 'switched') return 'preempted';
  return evidence === undefined || evidence === 'nothing' || evidence === 'not probed' ? 'cause not seen' : evidence;
}

/** A sampler's result on the time line of a run. */
export function jitterSummary(result: JitterResult, when: JitterSummary['when'], t0: number): JitterSummary {
  const { atNs, lenNs, evidence } = result.gaps;
  const order = Array.from(lenNs.keys())
    .sort((a, b) => lenNs[b]! - lenNs[a]!)
    .slice(0, KEPT);
  return {
    cpu: result.cpu,
    when,
    thresholdNs: result.thresholdNs,
    elapsedNs: result.durationNs,
    lostNs: result.lostNs,
    gaps: result.histogram.toJSON(),
    worst: order.map((i) => ({
      atNs: atNs[i]! - t0,
      gapNs: lenNs[i]!,
      cause: causeOf(result.evidence[evidence[i]!]),
    })),
  };
}

/** Jitter of a CPU while nothing else of ours runs there, or why it cannot be told. */
export async function jitterFloor(
  cpu: number | null,
): Promise<{ readonly floor: JitterSummary } | { readonly finding: Finding }> {
  const started = start({ durationMs: FLOOR_MS, ...(cpu === null ? {} : { cpu }) });
  if (!started.ok) {
    const message = `The machine's own jitter is not sampled: ${started.message}. ${started.hint}`;
    return { finding: { id: 'no-jitter', severity: 'info', message } };
  }
  const result = await started.result();
  return { floor: jitterSummary(result, 'floor', result.startNs) };
}
