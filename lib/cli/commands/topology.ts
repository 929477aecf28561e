import { count } from '../../analysis/words.js';
import { busyCpus, type Plan, plan, type Refusal, reservations, type Topology, topology } from '../../cpu/index.js';
import { UsageError } from '../../runner/usage-error.js';
import { EXIT } from '../io.js';

export interface TopologyOptions {
  /** One JSON document instead of text. */
  json?: boolean;
  /** Also plan so many threads (nothing is applied). */
  plan?: number;
  /** Cores that stay for everything else. Default 1. */
  keepFree?: number;
  /** Planned threads may share a core. Default false. */
  shareCores?: boolean;
}

interface TopologyIo {
  out(text: string): void;
  err(text: string): void;
}

/**
 * `tscope topology`: what the machine is made of, who reserved what and, when asked, where threads would go and why.
 * @returns the exit code: 0; 3 when the topology or a plan cannot be had, with the reason and what to do on stderr.
 * @throws UsageError for flags that belong to a plan without one.
 */
export async function runTopology(options: TopologyOptions, io: TopologyIo): Promise<number> {
  if (options.plan === undefined && (options.keepFree !== undefined || options.shareCores)) {
    throw new UsageError('--keep-free and --share-cores belong to --plan, which is not given.');
  }
  const found = topology();
  if (!found.ok) return fail(found, options, io);
  const held = reservations();
  const holders = held.ok ? held.holders : [];
  let planned: Plan | Refusal | null = null;
  let busy: number[] = [];
  if (options.plan !== undefined) {
    busy = (await busyCpus({ ms: 200, share: 0.5 })) ?? [];
    // Only a reservation is a claim. What is busy at the moment is said, and avoided as long as there is a choice.
    const reserved = holders.map(({ cpu }) => cpu);
    const { plan: threads, keepFree = 1, shareCores = false } = options;
    const asked = { threads, keepFree, avoidSiblings: !shareCores };
    planned = plan(found.topology, { ...asked, busy: [...reserved, ...busy] });
    if (!planned.ok) planned = plan(found.topology, { ...asked, busy: reserved });
    if (planned.ok) planned = { ...planned, notes: [...busyNotes(planned, busy), ...planned.notes] };
  }
  if (options.json) {
    io.out(`${JSON.stringify({ topology: found.topology, reservations: holders, busy, plan: planned }, null, 2)}\n`);
  } else {
    io.out(describe(found.topology));
    for (const { cpu, pid, command } of holders)
      io.out(`reserved   CPU ${cpu} by process ${pid ?? '?'} (${command})\n`);
    if (planned) io.out(describePlan(planned, busy));
  }
  return planned && !planned.ok ? refuse(planned, options, io) : EXIT.ok;
}

function busyNotes(planned: Plan, busy: readonly number[]): string[] {
  const taken = planned.threads.map(({ cpu }) => cpu).filter((cpu) => busy.includes(cpu));
  return taken.length === 0
    ? []
    : [`CPU ${ranges(taken)} is busy at the moment, and no idle one is left: wait, or stop what runs there`];
}

function fail(refusal: Refusal, options: TopologyOptions, io: TopologyIo): number {
  if (options.json) io.out(`${JSON.stringify({ topology: null, refusal }, null, 2)}\n`);
  return refuse(refusal, options, io);
}

/** Says why on stderr, in the words of the command line; JSON has it already. */
function refuse({ message, hint }: Refusal, options: TopologyOptions, io: TopologyIo): number {
  const flags = hint.replace(/keepFree: (\d+)/, '--keep-free $1').replace('avoidSiblings: false', '--share-cores');
  if (!options.json) io.err(`${message}. ${flags}\n`);
  return EXIT.environment;
}

const ranges = (cpus: readonly number[]) => {
  const parts: string[] = [];
  for (let i = 0, j = 0; i < cpus.length; i = j + 1) {
    for (j = i; cpus[j + 1] === cpus[j]! + 1; ) j++;
    parts.push(i === j ? `${cpus[i]}` : `${cpus[i]}-${cpus[j]}`);
  }
  return parts.length === 0 ? 'none' : parts.join(',');
};
const orUnknown = (cpus: readonly number[] | null) => (cpus === null ? 'unknown' : ranges(cpus));
const size = (bytes: number | null) =>
  bytes === null ? '?' : bytes >= 1 << 20 ? `${bytes / (1 << 20)} MiB` : `${bytes / 1024} KiB`;

function describe(t: Topology): string {
  const packages = new Set(t.cpus.map((cpu) => cpu.package)).size;
  const lines = [
    `CPUs       ${ranges(t.online)} online; ${count(packages, 'package')}, ${count(t.cores.length, 'core')}, ${count(t.nodes.length, 'NUMA node')}`,
    `SMT        ${t.smt === null ? 'unknown' : t.smt ? 'on' : 'off'}`,
    `allowed    ${orUnknown(t.allowed)} (affinity), ${orUnknown(t.cpuset)} (cpuset)`,
    `quota      ${t.quota === null ? 'none' : `${t.quota} CPUs`}`,
    `isolated   ${orUnknown(t.isolated)}; without tick ${orUnknown(t.nohzFull)}`,
  ];
  for (const [index, core] of t.cores.entries()) {
    const first = t.cpus.find((cpu) => cpu.core === index)!;
    const facts = [
      core.package === null ? null : `package ${core.package}`,
      first.node === null ? null : `node ${first.node}`,
      first.kind,
      first.capacity === null ? null : `capacity ${first.capacity}`,
      first.maxKhz === null ? null : `up to ${first.maxKhz / 1e6} GHz`,
    ].filter((fact) => fact !== null);
    lines.push(`core ${String(index).padEnd(5)} CPU ${ranges(core.cpus)}; ${facts.join(', ')}`);
  }
  const kinds = new Map<string, number[][]>();
  for (const { level, type, bytes, cpus } of t.caches) {
    const key = `L${level} ${type.toLowerCase()} ${size(bytes)}`;
    kinds.set(key, [...(kinds.get(key) ?? []), [...cpus]]);
  }
  for (const [kind, shared] of kinds) lines.push(`cache      ${kind}: ${shared.map(ranges).join(' | ')}`);
  return `${lines.join('\n')}\n`;
}

function describePlan(planned: Plan | Refusal, busy: readonly number[]): string {
  const lines = busy.length > 0 ? [`busy       ${ranges(busy)} (over half of the last 200 ms)`] : [];
  if (!planned.ok) return lines.map((line) => `${line}\n`).join('');
  for (const [i, { cpu, reasons }] of planned.threads.entries()) {
    lines.push(`thread ${String(i).padEnd(3)} CPU ${cpu}: ${reasons.join('; ')}`);
  }
  lines.push(`others     CPU ${ranges(planned.rest)}`);
  if (planned.idle.length > 0) lines.push(`keep idle  CPU ${ranges(planned.idle)}`);
  for (const { cpu, reason } of planned.rejected) lines.push(`not taken  CPU ${cpu}: ${reason}`);
  for (const note of planned.notes) lines.push(`note       ${note}`);
  return `${lines.join('\n')}\n`;
}
