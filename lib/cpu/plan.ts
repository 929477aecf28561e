import { checkKeys } from '../native/check-keys.js';
import type { Refusal } from '../native/outcome.js';
import { checkCpus, checkInteger } from './check.js';
import type { CpuInfo, Topology } from './topology.js';

/** What a pinning plan has to satisfy. */
export interface PlanOptions {
  /** Threads that each get a CPU of their own. Default 1. */
  threads?: number;
  /** Give each thread a whole core and leave its SMT siblings idle. Default true. */
  avoidSiblings?: boolean;
  /** Cores that stay for everything else (V8's and libuv's helpers, the system). Default 1. */
  keepFree?: number;
  /** Choose from these CPUs only. Default: what this process may use, and isolated CPUs. */
  cpus?: readonly number[];
  /** CPUs known to be in use: reserved by somebody ({@link reservations}) or measured ({@link busyCpus}). */
  busy?: readonly number[];
}

const KEYS: ReadonlySet<string> = new Set([
  'threads',
  'avoidSiblings',
  'keepFree',
  'cpus',
  'busy',
] satisfies (keyof PlanOptions)[]);

/** Where threads go, and why: plain data, nothing has been done yet. */
export interface Plan {
  ok: true;
  threads: readonly PlannedThread[];
  /** CPUs for all other threads of the process. */
  rest: readonly number[];
  /** Siblings of planned CPUs, to be left idle; nobody but a reservation keeps other processes off them. */
  idle: readonly number[];
  /** CPUs that were not taken although they could be named, with the reason. */
  rejected: readonly { cpu: number; reason: string }[];
  /** What weakens the plan on this machine. */
  notes: readonly string[];
}

/** The CPU of one thread, and why it was chosen. */
export interface PlannedThread {
  cpu: number;
  core: number;
  package: number | null;
  node: number | null;
  /** Why this CPU, best reason first. */
  reasons: readonly string[];
}

interface Candidate {
  info: CpuInfo;
  siblings: number[];
  isolated: boolean;
  nohz: boolean;
  /** Device interrupts on the whole core: a sibling's disturb as well. */
  interrupts: number | null;
  zero: boolean;
  busySibling: boolean;
}

const list = (cpus: readonly number[]) => cpus.join(', ');

/**
 * Chooses CPUs on a machine: isolated ones first (those without a tick before the others), then not CPU 0, then cores without a
 * busy sibling, then the strongest CPUs, then near the threads chosen before (same node, then same socket), then those with
 * the fewest device interrupts on their core. A pure function: same topology and options, same plan.
 * @returns the plan, or a refusal (`TOO_FEW_CPUS`) that says what is missing.
 * @throws TypeError, RangeError for options that make no sense.
 */
export function plan(topology: Topology, options: PlanOptions = {}): Plan | Refusal {
  checkKeys('plan', options, KEYS, '{ threads: 2 }');
  const threads = checkInteger('plan: threads', options.threads ?? 1, 1, 8192);
  const keepFree = checkInteger('plan: keepFree', options.keepFree ?? 1, 0, 8192);
  const avoidSiblings = options.avoidSiblings ?? true;
  const only = options.cpus && new Set(checkCpus('plan: cpus', options.cpus));
  const busy = new Set(options.busy?.length ? checkCpus('plan: busy', options.busy) : []);
  const isolated = new Set(topology.isolated ?? []);
  const allowed = new Set(topology.allowed ?? topology.online);
  const cpuset = topology.cpuset && new Set(topology.cpuset);

  const rejected: { cpu: number; reason: string }[] = [];
  const candidates: Candidate[] = [];
  for (const info of topology.cpus) {
    const { cpu } = info;
    const siblings = topology.cores[info.core]!.cpus.filter((other) => other !== cpu);
    const reason = whyNot(cpu);
    if (reason !== null) rejected.push({ cpu, reason });
    else {
      const busySibling = siblings.some((sibling) => busy.has(sibling));
      const nohz = topology.nohzFull?.includes(cpu) ?? false;
      const counts = topology.cpus.filter(({ core }) => core === info.core).map((other) => other.interrupts);
      const interrupts = counts.reduce((sum, n) => (sum === null || n === null ? null : sum + n), 0);
      candidates.push({ info, siblings, isolated: isolated.has(cpu), nohz, interrupts, zero: cpu === 0, busySibling });
    }
  }

  function whyNot(cpu: number): string | null {
    if (only && !only.has(cpu)) return 'not among the CPUs to choose from';
    if (busy.has(cpu)) return 'busy or reserved by another process';
    if (cpuset && !cpuset.has(cpu)) return `outside the cpuset (${list([...cpuset])})`;
    if (!allowed.has(cpu) && !isolated.has(cpu) && !only) return 'this process is not allowed to use it';
    return null;
  }

  const taken: Candidate[] = [];
  const left = new Set(candidates);
  while (taken.length < threads) {
    const best = bestOf(left, taken, avoidSiblings);
    if (!best) break;
    taken.push(best);
    left.delete(best);
    if (!avoidSiblings) continue;
    for (const other of left) if (other.info.core === best.info.core) left.delete(other);
  }

  const takenCpus = new Set(taken.map(({ info }) => info.cpu));
  const takenCores = new Set(taken.map(({ info }) => info.core));
  const coreOf = new Map(topology.cpus.map(({ cpu, core }) => [cpu, core]));
  const idle = avoidSiblings ? taken.flatMap(({ siblings }) => siblings).filter((cpu) => !takenCpus.has(cpu)) : [];
  const unused = [...coreOf.keys()].filter(
    (cpu) => allowed.has(cpu) && (!cpuset || cpuset.has(cpu)) && !takenCpus.has(cpu) && !idle.includes(cpu),
  );
  // Threads put on several isolated CPUs all stay on the first: the scheduler does not balance there.
  const ordinary = unused.filter((cpu) => !isolated.has(cpu));
  const rest = (ordinary.length > 0 ? ordinary : unused).sort((a, b) => a - b);
  const freeCores = new Set(rest.map((cpu) => coreOf.get(cpu)).filter((core) => !takenCores.has(core!))).size;
  if (taken.length < threads || freeCores < keepFree) {
    const shares = candidates.some(({ info }, i) => candidates.findIndex((c) => c.info.core === info.core) !== i);
    const found = { found: taken.length, freeCores, candidates: candidates.length };
    return tooFew({ threads, keepFree, avoidSiblings: avoidSiblings && shares, wholeCores: avoidSiblings, ...found });
  }
  return {
    ok: true,
    threads: taken.map((candidate, index) => describe(candidate, taken.slice(0, index), topology, busy)),
    rest,
    idle: idle.sort((a, b) => a - b),
    rejected,
    notes: notesOn(taken, topology, idle, rest),
  };
}

/** Lower is better, compared element by element. */
function rank(candidate: Candidate, taken: readonly Candidate[], avoidSiblings: boolean): number[] {
  const { info } = candidate;
  const first = taken[0]?.info;
  const sharesCore = !avoidSiblings && taken.some((other) => other.info.core === info.core);
  return [
    sharesCore ? 1 : 0,
    candidate.isolated ? (candidate.nohz ? 0 : 1) : 2,
    candidate.zero ? 1 : 0,
    candidate.busySibling ? 1 : 0,
    // A core that is CPU 0's as well shares it with what the system does on CPU 0.
    candidate.siblings.includes(0) ? 1 : 0,
    info.kind === 'efficiency' ? 1 : 0,
    -(info.capacity ?? 0),
    first && first.node !== info.node ? 1 : 0,
    first && first.package !== info.package ? 1 : 0,
    candidate.interrupts ?? 0,
    info.interrupts ?? 0,
    info.cpu,
  ];
}

function bestOf(left: Iterable<Candidate>, taken: readonly Candidate[], avoidSiblings: boolean): Candidate | null {
  let best: { candidate: Candidate; rank: number[] } | null = null;
  for (const candidate of left) {
    const own = rank(candidate, taken, avoidSiblings);
    const at = best ? own.findIndex((value, i) => value !== best!.rank[i]) : 0;
    if (!best || own[at]! < best.rank[at]!) best = { candidate, rank: own };
  }
  return best?.candidate ?? null;
}

function describe(
  candidate: Candidate,
  before: readonly Candidate[],
  topology: Topology,
  busy: ReadonlySet<number>,
): PlannedThread {
  const { info, siblings } = candidate;
  const reasons: string[] = [];
  if (candidate.isolated) reasons.push(candidate.nohz ? 'isolated, and without a timer tick' : 'isolated');
  if (!candidate.zero) reasons.push('not CPU 0');
  if (siblings.length === 0) reasons.push('its core has no other CPU');
  else {
    const active = siblings.filter((cpu) => busy.has(cpu));
    reasons.push(active.length > 0 ? `its sibling ${list(active)} is busy` : `no busy sibling (${list(siblings)})`);
  }
  if (info.kind) reasons.push(`${info.kind} core`);
  const strongest = Math.max(...topology.cpus.map((cpu) => cpu.capacity ?? 0));
  const differ = topology.cpus.some((cpu) => (cpu.capacity ?? 0) !== strongest);
  if (differ && info.capacity !== null) reasons.push(`capacity ${info.capacity} of ${strongest}`);
  if (before.length > 0 && topology.nodes.length > 1 && info.node === before[0]!.info.node) {
    reasons.push(`same NUMA node (${info.node}) as the first thread`);
  }
  if (candidate.interrupts !== null) reasons.push(`${candidate.interrupts} device interrupts on its core since boot`);
  return { cpu: info.cpu, core: info.core, package: info.package, node: info.node, reasons };
}

function notesOn(taken: readonly Candidate[], topology: Topology, idle: readonly number[], rest: readonly number[]) {
  const notes: string[] = [];
  const cpus = taken.map(({ info }) => info);
  if (taken.every(({ isolated }) => !isolated)) {
    notes.push('no planned CPU is isolated: the scheduler may put other processes there');
  }
  if (cpus.some(({ cpu }) => cpu === 0)) notes.push('CPU 0 is used: it handles more of the system than the others');
  if (taken.some(({ busySibling }) => busySibling))
    notes.push('a planned core has a busy sibling: expect shared-core slowdown');
  if (new Set(cpus.map(({ core }) => core)).size < cpus.length) {
    notes.push('threads share a core: they slow each other down');
  }
  if (new Set(cpus.map(({ capacity, kind }) => `${capacity} ${kind}`)).size > 1) {
    notes.push('the planned CPUs differ in capacity: do not compare threads with each other');
  }
  if (new Set(cpus.map((cpu) => cpu.package)).size > 1) notes.push('the threads are on several sockets');
  if (idle.length > 0) notes.push(`keep CPU ${list(idle)} idle: it shares a core with a planned thread`);
  if (rest.length === 0) notes.push('no CPU is left for the other threads: they will interrupt the planned ones');
  if (topology.quota !== null && topology.quota < topology.online.length) {
    notes.push(
      `the control group has a quota of ${topology.quota} CPUs: spinning threads will be stopped once it is used up`,
    );
  }
  return notes;
}

function tooFew(found: {
  threads: number;
  keepFree: number;
  /** Siblings are avoided, and there are some that could be used. */
  avoidSiblings: boolean;
  wholeCores: boolean;
  found: number;
  freeCores: number;
  candidates: number;
}): Refusal {
  const { threads, keepFree, freeCores } = found;
  const enough = found.found === threads;
  const message = enough
    ? `plan: ${many(keepFree, 'core')} shall stay free, ${freeCores} would be left besides ${many(threads, 'planned thread')}`
    : `plan: ${many(threads, found.wholeCores ? 'whole core' : 'CPU')} ${threads === 1 ? 'was' : 'were'} asked for, ${found.found} can be had (of ${many(found.candidates, 'usable CPU')})`;
  // Only what would help.
  const ways = [
    threads > 1 ? 'fewer threads' : null,
    enough ? `keepFree: ${freeCores}` : null,
    found.avoidSiblings && (enough || found.candidates >= threads) ? 'avoidSiblings: false' : null,
    'a wider cpuset or affinity',
  ].filter((way) => way !== null);
  const hint = `Ask for less or give more: ${ways.join(', or ')}.`;
  return { ok: false, errno: null, code: 'TOO_FEW_CPUS', message, hint };
}

const many = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
