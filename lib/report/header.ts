import type { ClockInfo, Environment, RunResult } from '../result/model.js';
import { oneLine } from './columns.js';

const frequency = (hz: number) => (hz >= 1e9 ? `${(hz / 1e9).toFixed(3)} GHz` : `${(hz / 1e6).toFixed(3)} MHz`);
const ns = (value: number) => `${value.toFixed(1)} ns`;

function clockText(clock: ClockInfo | null, environment: Environment): string {
  if (!clock) return environment.backend;
  const rate = clock.backend === 'addon' ? ` ${frequency(clock.hz)}` : '';
  return `${clock.source}${rate}, step ${ns(clock.granularityNs)}, read ${ns(clock.readNs)}, floor ${ns(clock.floorNs)}`;
}

/** The header of a run: tool, runtime, machine and clock, one fact a line; what is unknown is left out, not guessed. */
export function headerLines(result: Pick<RunResult, 'tool' | 'environment' | 'seed'>): string[] {
  const { environment: env } = result;
  const cpu = [
    env.cpuModel,
    `${env.cpuCount} CPUs`,
    env.allowedCpus && env.allowedCpus.length < env.cpuCount ? `${env.allowedCpus.length} allowed` : null,
    env.smt ? `SMT ${env.smt}` : null,
    env.governor ? `governor ${env.governor}` : null,
    env.turbo ? `turbo ${env.turbo}` : null,
    env.hypervisor ? 'virtual machine' : null,
    env.cpuQuota === null ? null : `quota ${env.cpuQuota} CPUs`,
  ];
  const load = `load ${env.loadAverage[0]?.toFixed(2) ?? '?'}${env.cpuPressure === null ? '' : `, CPU pressure ${env.cpuPressure} %`}`;
  return [
    `# tscope ${result.tool.version}, Node ${env.node} (V8 ${env.v8}), ${env.platform} ${env.arch} ${env.kernel}`,
    `# CPU: ${cpu.filter((part) => part !== null).join(', ')}; ${load}`,
    `# Clock: ${clockText(env.clock, env)}${env.backendReason ? ` (no addon: ${env.backendReason})` : ''}`,
  ].map(oneLine);
}
