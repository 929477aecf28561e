// Runs in a process of its own (and in workers of it): what must hold of the clock, reported as one JSON line.
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { calibrate, checkAnchor, hotClock, takeAnchor } from '#lib/clock/index.js';
import { loadAddon } from '#lib/native/load.js';

export interface Holds {
  readonly backend: string;
  readonly source: string;
  readonly reason: string | null;
  readonly path: string;
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
  readonly loadReason: string | null;
  readonly backward: number;
  readonly granularityNs: number;
  readonly ownsSlot: boolean;
  readonly worstDriftNs: number | null;
  readonly medianDriftNs: number | null;
  readonly discontinuity: boolean;
  /** Median of five: 20 ms against 500 ms, ppm. */
  readonly calibrationPpm: number | null;
  readonly workers: readonly Holds[];
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

function backwardSteps(n: number): number {
  const { read, readOrdered, slot } = hotClock();
  let last = -Infinity;
  let backward = 0;
  for (let i = 0; i < n; i++) {
    if (i % 16 === 0) readOrdered();
    else read();
    if (slot[0]! < last) backward++;
    last = slot[0]!;
  }
  return backward;
}

function calibrationPpm(): number | null {
  const long = calibrate({ ms: 500 });
  if (!long.ok) return null;
  return median(
    Array.from({ length: 5 }, () => {
      const short = calibrate();
      return short.ok ? Math.abs(short.hz / long.hz - 1) * 1e6 : Infinity;
    }),
  );
}

async function holds(workers: number): Promise<Holds> {
  // Three fits of their own, so that one that was disturbed does not decide.
  const clocks = [20, 21, 22].map((calibrateMs) => hotClock({ calibrateMs }));
  const clock = clocks[0]!;
  const started = Array.from({ length: workers }, () => new Worker(new URL(import.meta.url)));
  const messages = started.map(
    (worker) =>
      new Promise<Holds>((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      }),
  );
  const anchors = clocks.map((each) => takeAnchor(each));
  await sleep(1000);
  const checks = clocks.map((each, i) => checkAnchor(each, anchors[i]!));
  clock.slot[0] = -1;
  const reports = await Promise.all(messages);
  // Workers have read all the time; nothing but this thread writes this slot.
  const ownsSlot = clock.slot[0] === -1;
  const drifts = checks.flatMap((check) => (check.driftNs === null ? [] : [Math.abs(check.driftNs)]));
  return {
    backend: clock.info.backend,
    source: clock.info.source,
    reason: clock.info.reason,
    path: clock.path.path,
    refused: clock.path.refused,
    loadReason: loadAddon().reason,
    backward: backwardSteps(1_000_000),
    granularityNs: clock.info.granularityNs,
    ownsSlot,
    worstDriftNs: drifts.length > 0 ? Math.max(...drifts) : null,
    medianDriftNs: drifts.length > 0 ? median(drifts) : null,
    discontinuity: checks.some((check) => check.discontinuity),
    calibrationPpm: isMainThread ? calibrationPpm() : null,
    workers: reports,
  };
}

if (isMainThread) console.log(JSON.stringify(await holds(Number(process.argv[2] ?? 0))));
else parentPort!.postMessage(await holds(0));
