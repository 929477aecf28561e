import { blackholeCosts, measuredCode } from '../analysis/code.js';
import { count, share } from '../analysis/words.js';
import type { ClockInfo, Environment, RunResult, Trial } from '../result/model.js';
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

/** What the clock does to samples, to stand beside their percentiles; nothing for a run without any. */
export function sampleLines({ trials, environment: { clock } }: Pick<RunResult, 'trials' | 'environment'>): string[] {
  if (!clock || !trials.some(({ mode, score }) => mode === 'sample' && score !== null)) return [];
  return [
    `Samples: the clock moves in steps of ${ns(clock.granularityNs)}, and every sample holds its floor of ${ns(clock.floorNs)}.`,
  ];
}

const warmupText = (trial: Trial): string => {
  const of = (name: string) => trial.options[name]?.value;
  const n = of('warmupIterations');
  return n === null || n === undefined
    ? `warm-up until steady, ${ms(of('warmupMinMs'))} to ${ms(of('warmupMaxMs'))}`
    : `warm-up ${n} x ${ms(of('warmupTimeMs'))}`;
};
const ms = (value: unknown) => `${Number(((value as number) / 1000).toPrecision(3))} s`;

/** How the trials are measured, one line for each distinct way; then the seed. */
export function planLines(result: Pick<RunResult, 'trials' | 'seed'>): string[] {
  const ways = new Map<string, number>();
  for (const trial of result.trials) {
    const of = (name: string) => trial.options[name]?.value;
    const shots =
      trial.mode === 'ss'
        ? count(of('iterations') as number, 'shot')
        : `${of('iterations')} x ${ms(of('iterationTimeMs'))}`;
    const way = `${count(of('forks') as number, 'fork')} x (${warmupText(trial)}, ${shots})`;
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const lines = [...ways].map(([way, trials]) => `# ${count(trials, 'trial')}: ${way}`);
  const kept = [...new Set(result.trials.map((trial) => trial.options.keepEnv?.value))].filter(
    (names) => typeof names === 'string' && names !== '',
  );
  const environment = kept.length > 0 ? [`# Environment kept for forks: ${kept.join(' ').split(' ').join(', ')}`] : [];
  return [...lines, ...environment.map(oneLine), `# Order of forks: random in rounds, seed ${result.seed}`];
}

/** Trials by name, the first and how many more. */
const whichText = ([first, ...more]: readonly Trial[]): string =>
  `${first!.suite}.${first!.benchmark}${more.length > 0 ? ` and ${more.length} more` : ''}`;

/** Which code was measured, and what of it could not be seen. */
function codeText(trials: readonly Trial[]): string {
  const { forks, tiers, inlined, unseen, changed } = measuredCode(trials);
  if (forks === 0) return 'nothing was measured';
  const of = (n: number) => {
    if (n < forks) return share(n, forks, 'fork');
    return forks === 1 ? '1 fork' : `all ${forks} forks`;
  };
  const parts = tiers.map(
    ({ tier, forks: n, trials: which }, i) => `${tier} in ${of(n)}${i > 0 ? ` (${whichText(which)})` : ''}`,
  );
  const notes = [
    parts.length > 0 ? `measured in ${parts.join(', ')}` : null,
    inlined > 0 ? `benchmark function inlined into the loop in ${inlined}` : null,
    unseen > 0 ? `tier not seen in ${of(unseen)}: V8 did not tell` : null,
    changed > 0 ? `changed within an iteration in ${changed}` : null,
  ];
  return notes.filter((note) => note !== null).join('; ');
}

/** Less is told from nothing by the alignment of the loops alone. */
const LEAST_COST_NS = 0.1;
const cost = (value: number) =>
  value < LEAST_COST_NS ? `under ${LEAST_COST_NS} ns` : `${Number(value.toPrecision(2))} ns`;

/**
 * The rest of the header, known when the forks have ended: which code was measured, and what the black hole costs under each Node,
 * over a loop without it.
 */
export function measuredLines(trials: readonly Trial[]): string[] {
  const costs = blackholeCosts(trials);
  const blackholes = costs.map(({ node, args, cost: { consumeNumberNs, consumeObjectNs, tokenNs } }) => {
    const where = costs.length > 1 ? ` (Node ${node.replace(/^v/, '')}${args === '' ? '' : ` ${args}`})` : '';
    return `# Blackhole: consume(number) ${cost(consumeNumberNs)}, consume(object) ${cost(consumeObjectNs)}, consumeCPU(1) ${cost(tokenNs)}${where}`;
  });
  return [
    `# Code: ${codeText(trials)}`,
    ...(costs.length > 0 ? blackholes : ['# Blackhole: its cost was not measured']),
  ].map(oneLine);
}
