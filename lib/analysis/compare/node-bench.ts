/** Reduces JSON lines of node:bench to what a comparison needs: every process is a fork. */
import type { NodeBenchRecord } from '../../result/node-bench.js';
import type { Arm, ComparedRun, ForkSample } from './types.js';

const keyOf = ({ file, namePath, params }: NodeBenchRecord): string =>
  JSON.stringify([file, namePath, Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))]);

/** All ops of a process over all its time; the rates that node:bench averages weigh a short sample like a long one. */
function forkOf({ samples }: NodeBenchRecord, fork: number): ForkSample | null {
  const ops = samples.reduce((sum, { operations }) => sum + operations, 0);
  const ns = samples.reduce((sum, sample) => sum + sample.ns, 0);
  if (ops === 0 || !Number.isFinite(ns / ops)) return null;
  return {
    fork,
    value: ns / ops,
    iterations: samples.length,
    aware: null,
    buckets: null,
    secondary: {},
    round: null,
    startMs: null,
    endMs: null,
  };
}

/** One record a process: lines that are in a file twice, or that a process wrote for the same benchmark again, are no forks of their own. */
function byProcess(records: readonly NodeBenchRecord[]): NodeBenchRecord[] {
  const found = new Map<string, NodeBenchRecord>();
  for (const record of records) {
    const before = found.get(record.fileRunId);
    const samples = [...(before?.samples ?? []), ...record.samples];
    found.set(record.fileRunId, { ...record, samples });
  }
  return [...found.values()];
}

function armOf(key: string, records: readonly NodeBenchRecord[]): Arm {
  const [{ file, namePath, params }] = records as [NodeBenchRecord];
  const processes = byProcess(records);
  const forks = processes.map(forkOf).filter((fork) => fork !== null);
  return {
    key,
    file,
    suite: namePath.slice(0, -1).join('.'),
    name: namePath.join('.'),
    params,
    mode: 'avgt',
    unit: 'ns/op',
    better: 'lower',
    baseline: false,
    forks,
    planned: null,
    failed: processes.length - forks.length,
    failure: null,
    lostShare: 0,
    canaries: [],
    secondary: [],
  };
}

/** JSON lines of node:bench, ready to be compared. What was measured on is not in them. */
export function comparedNodeBench(records: readonly NodeBenchRecord[], name: string): ComparedRun {
  const byKey = new Map<string, NodeBenchRecord[]>();
  for (const record of records) {
    const list = byKey.get(keyOf(record));
    if (list) list.push(record);
    else byKey.set(keyOf(record), [record]);
  }
  return {
    name,
    harness: 'node:bench',
    id: null,
    createdAt: null,
    arms: [...byKey].map(([key, list]) => armOf(key, list)),
    facts: new Map([['harness', 'node:bench']]),
    armFacts: new Map(),
    softFacts: new Map(),
  };
}
