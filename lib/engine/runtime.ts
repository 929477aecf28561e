/** The process as it describes itself. */
import { allowedCpus } from '../cpu/affinity.js';
import { loadedHow } from '../loader/loaded.js';
import type { ForkRuntime } from '../result/model.js';
import type { Machine } from './types.js';

export function forkRuntime(machine: Machine, file: string, pinnedCpu: number | null): ForkRuntime {
  return {
    pid: process.pid,
    node: process.version,
    v8: process.versions.v8,
    execArgv: process.execArgv,
    loader: loadedHow(file),
    clock: machine.clock.early(),
    pinnedCpu,
    allowedCpus: allowedCpus(),
  };
}
