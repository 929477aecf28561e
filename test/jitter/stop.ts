// Stops another process for a known time and says, with bounds, for how long its sampling thread really stood still.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Refusal } from '#lib/cpu/outcome.js';

export interface ChildResult {
  readonly gaps: { readonly wallMs: readonly number[]; readonly lenNs: readonly number[] };
  readonly thresholdNs: number;
  readonly lostNs: number;
  readonly gapCount: number;
  readonly durationNs: number;
  readonly causes: Readonly<Record<string, { readonly gaps: number; readonly lostNs: number }>>;
}

export interface Victim {
  readonly pid: number;
  readonly tid: number;
  /** Ends the sampling. */
  finish(): Promise<ChildResult>;
}

/** A child process that samples; a refusal when it may not. */
export async function startVictim(
  cpu: number | 'any',
  policy: 'fifo' | 'normal',
  kind: 'spin' | 'sleep',
): Promise<Victim | Refusal> {
  const file = fileURLToPath(new URL('children/victim.js', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [file, String(cpu), policy, kind], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the child ended early: ${child.exitCode ?? child.signalCode}`);
    return JSON.parse(value as string);
  };
  const first = await next();
  if (!first.ok) return first;
  return {
    pid: child.pid!,
    tid: samplingThread(child.pid!),
    async finish() {
      child.stdin!.end();
      return next();
    },
  };
}

function samplingThread(pid: number): number {
  for (const tid of readdirSync(`/proc/${pid}/task`)) {
    if (readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim() === 'tscope-jitter') return Number(tid);
  }
  throw new Error(`process ${pid} has no sampling thread`);
}

/** One stop. Times in ms. */
export interface Stop {
  /** The thread stood still for at least this long, from when it was seen stopped to right before it was let go. */
  readonly least: number;
  /** And at most this long, if {@link clean}: from right before the signal to when it was seen running again. */
  readonly most: number;
  /** It was running when the signal came and was switched in exactly once afterwards. */
  readonly clean: boolean;
  /** Wall clock, ms since 1970, around it. */
  readonly from: number;
  readonly to: number;
}

const now = () => Number(process.hrtime.bigint()) / 1e6;
const wall = () => performance.timeOrigin + performance.now();

/** Third number of schedstat: how often the thread was switched in; counted the moment it is. */
function arrivals(victim: Victim): number {
  return Number(readFileSync(`/proc/${victim.pid}/task/${victim.tid}/schedstat`, 'utf8').split(' ')[2]);
}

function isStopped(victim: Victim): boolean {
  return /\) [Tt] /.test(readFileSync(`/proc/${victim.pid}/task/${victim.tid}/stat`, 'utf8'));
}

/** Stops `victim` for about `ms`. Spins: the caller's own delays only widen the bounds. */
export function stopFor(victim: Victim, ms: number): Stop {
  const before = arrivals(victim);
  const from = wall();
  const signalled = now();
  process.kill(victim.pid, 'SIGSTOP');
  while (!isStopped(victim));
  const stopped = now();
  while (now() - stopped < ms);
  const released = now();
  process.kill(victim.pid, 'SIGCONT');
  let arrived = arrivals(victim);
  const deadline = now() + 5000;
  while (arrived === before && now() < deadline) arrived = arrivals(victim);
  const resumed = now();
  return {
    least: released - stopped,
    most: resumed - signalled,
    clean: arrived - before === 1,
    from,
    to: wall(),
  };
}

/** Longest gap, ms, that overlaps the stop; 0 when there is none. */
export function gapDuring(result: ChildResult, stop: Stop): number {
  let longest = 0;
  result.gaps.lenNs.forEach((len, i) => {
    const start = result.gaps.wallMs[i]!;
    if (start <= stop.to && start + len / 1e6 >= stop.from) longest = Math.max(longest, len / 1e6);
  });
  return longest;
}
