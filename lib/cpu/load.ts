import { setTimeout as sleep } from 'node:timers/promises';
import { checkKeys } from '../native/check-keys.js';
import { checkInteger } from './check.js';
import { diskFiles } from './files.js';

/** Share of time (0 to 1) each CPU was not idle between two texts of /proc/stat; waiting for a disk is idle, stolen time is not. */
export function busyShares(before: string, after: string): Map<number, number> {
  const earlier = ticks(before);
  const shares = new Map<number, number>();
  for (const [cpu, now] of ticks(after)) {
    const then = earlier.get(cpu);
    const total = then ? now.total - then.total : 0;
    if (then && total > 0) shares.set(cpu, Math.min(1, Math.max(0, 1 - (now.idle - then.idle) / total)));
  }
  return shares;
}

const KEYS: ReadonlySet<string> = new Set(['ms', 'share']);

/**
 * CPUs that were busy for at least `share` of the next `ms` milliseconds, for {@link PlanOptions.busy}; null where there is no
 * /proc/stat. The kernel counts in steps of 1 to 10 ms, so less than 100 ms says little.
 * @throws TypeError for an unknown option and an `ms` that is no number; RangeError for `ms` outside 10 to 60000 and a share outside
 * (0, 1].
 */
export async function busyCpus(options: { ms?: number; share?: number } = {}): Promise<number[] | null> {
  checkKeys('busyCpus', options, KEYS, '{ ms: 200 }');
  const ms = checkInteger('busyCpus: ms', options.ms ?? 200, 10, 60_000);
  const share = options.share ?? 0.25;
  if (!(share > 0 && share <= 1)) throw new RangeError(`busyCpus: share ${share} is not in (0, 1]`);
  const files = diskFiles('/');
  const before = files.text('proc/stat');
  if (before === null) return null;
  await sleep(ms);
  const shares = busyShares(before, files.text('proc/stat') ?? '');
  return [...shares].filter(([, value]) => value >= share).map(([cpu]) => cpu);
}

/** user, nice, system, idle, iowait, irq, softirq, steal; guest times are inside user and nice. */
function ticks(text: string): Map<number, { idle: number; total: number }> {
  const all = new Map<number, { idle: number; total: number }>();
  for (const line of text.split('\n')) {
    const match = /^cpu(\d+)((?: \d+)+)/.exec(line);
    if (!match) continue;
    const counts = match[2]!.trim().split(' ').slice(0, 8).map(Number);
    const total = counts.reduce((sum, value) => sum + value, 0);
    all.set(Number(match[1]), { idle: (counts[3] ?? 0) + (counts[4] ?? 0), total });
  }
  return all;
}
