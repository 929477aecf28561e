import { arch, availableParallelism, cpus, hostname, loadavg, platform, release, totalmem } from 'node:os';
import { hotClock } from '../clock/index.js';
import { allowedCpus, machineFacts } from '../cpu/index.js';
import type { Environment } from '../result/model.js';

/**
 * The machine as found: what can change a score. Unknown facts are null.
 *
 * @param node Executable of the forks, the flags they get, and its versions of Node and V8 (default: this process's).
 */
export function captureEnvironment(node: {
  readonly executable: string;
  readonly flags: readonly string[];
  readonly versions?: { readonly node: string; readonly v8: string };
}): Environment {
  const { versions = process.versions } = node;
  const clock = hotClock().info;
  const models = cpus();
  const facts = machineFacts();
  return {
    host: hostname(),
    platform: platform(),
    arch: arch(),
    kernel: release(),
    cpuCount: models.length || availableParallelism(),
    allowedCpus: allowedCpus(),
    memoryBytes: totalmem(),
    ...facts,
    cpuModel: facts.cpuModel ?? (models[0]?.model.trim() || 'unknown CPU'),
    loadAverage: loadavg().map((value) => Math.round(value * 100) / 100),
    node: versions.node,
    v8: versions.v8,
    nodeExecutable: node.executable,
    nodeFlags: node.flags,
    backend: clock.backend,
    backendReason: clock.reason,
    clock,
  };
}
