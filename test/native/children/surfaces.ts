// Runs in a process of its own (and in workers of it): every surface of the addon is opened, used and closed; one JSON line.
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { open } from '#lib/counters/index.js';
import { allowedCpus, pinSelf, restore } from '#lib/cpu/index.js';
import { start as startSampler } from '#lib/jitter/index.js';
import { loadAddon } from '#lib/native/load.js';
import { ENTRY, openDeadline, start as startPacer } from '#lib/pacer/index.js';
import { openRecorder } from '#lib/recorder/index.js';

/** What each surface did; a refusal is its code. */
export interface Surfaces {
  readonly addon: boolean;
  /** CPUs allowed while pinned to the first of them. */
  readonly pinned: readonly number[] | null | string;
  readonly restored: boolean;
  /** Did the sampler find as many gaps as it kept and dropped? */
  readonly sampler: boolean | string;
  /** Sequence numbers out of the ring. */
  readonly pacer: readonly number[] | string;
  readonly deadline: boolean | string;
  readonly counters: boolean | string;
  readonly recorder: number | string;
  readonly workers: readonly Surfaces[];
}

async function sampled(): Promise<boolean | string> {
  const sampler = startSampler({ durationMs: 10 });
  if (!sampler.ok) return sampler.code;
  const { gaps, dropped, gapCount } = await sampler.result();
  return gaps.lenNs.length + dropped === gapCount;
}

async function paced(): Promise<number[] | string> {
  const pacer = startPacer({ plan: Float64Array.from({ length: 20 }, (_, i) => i * 50_000), ringCapacity: 32 });
  if (!pacer.ok) return pacer.code;
  const seen: number[] = [];
  const entries = new Float64Array(ENTRY * 32);
  while (await pacer.ring.wait()) {
    const count = pacer.ring.read(entries);
    for (let i = 0; i < count; i++) seen.push(entries[i * ENTRY]!);
  }
  await pacer.result();
  return seen;
}

async function raised(): Promise<boolean | string> {
  const deadline = openDeadline();
  if (!deadline.ok) return deadline.code;
  deadline.armIn(1e6);
  while (Atomics.load(deadline.flag, 0) === 0);
  const { plannedNs, raisedNs } = deadline.raised()!;
  await deadline.close();
  return raisedNs >= plannedNs;
}

function counted(): boolean | string {
  const group = open(['task-clock', 'page-faults']);
  if (!group.ok) return group.code;
  const { section } = group.counters.measure(() => new Uint8Array(1 << 22).fill(1).length);
  group.counters.close();
  return section.counts['task-clock']! > 0;
}

function recorded(): number | string {
  const recorder = openRecorder();
  if (!recorder.ok) return recorder.code;
  recorder.recordAll(Float64Array.of(1, 2, 3));
  return recorder.snapshot().count;
}

async function surfaces(workers: number): Promise<Surfaces> {
  const started = Array.from({ length: workers }, () => new Worker(new URL(import.meta.url)));
  const messages = started.map(
    (worker) =>
      new Promise<Surfaces>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      }),
  );
  const first = allowedCpus()?.[0];
  const pin = first === undefined ? null : pinSelf([first]);
  const pinned = pin === null ? null : pin.ok ? allowedCpus() : pin.code;
  const restored = pin?.ok ? restore().ok : false;
  return {
    addon: loadAddon().addon !== null,
    pinned,
    restored,
    sampler: await sampled(),
    pacer: await paced(),
    deadline: await raised(),
    counters: counted(),
    recorder: recorded(),
    workers: await Promise.all(messages),
  };
}

const report = await surfaces(isMainThread ? Number(process.argv[2] ?? 0) : 0);
if (isMainThread) console.log(JSON.stringify(report));
else parentPort!.postMessage(report);
