/** The process as it describes itself. */
import { allowedCpus } from '../cpu/index.js';
import type { ForkRuntime } from '../result/model.js';
import type { Machine } from './types.js';

export function forkRuntime(machine: Machine, file: string, pinnedCpu: number | null): ForkRuntime {
  return {
    pid: process.pid,
    node: process.version,
    v8: process.versions.v8,
    execArgv: process.execArgv,
    loader: /\.[cm]?ts$/.test(file) ? 'stripped' : 'none',
    clock: machine.clock.info,
    pinnedCpu,
    allowedCpus: allowedCpus(),
  };
}
