import { perFork } from '../../analysis/per-fork.js';
import type { Environment, Trial } from '../../result/model.js';
import { oneLine } from '../columns.js';
import { decimal } from './escape.js';
import type { Reporter } from './reporter.js';

/** Bytes outside of what every reader of Go benchmark names accepts, in percent-encoding, so that names can be decoded. */
const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[\w$^&*+,.:;<|()[\]{}"#-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/**
 * `BenchmarkSuite/benchmark/size=16-1`: params are sub-names that benchstat can pivot on, and the last number is the threads. A
 * name after `Benchmark` must not begin with a small letter, so one that does gets a `_`.
 */
function nameOf(trial: Trial): string {
  const first = encoded(trial.suite);
  const parts = [
    /^[A-Z0-9]/.test(first) ? first : `_${first}`,
    encoded(trial.benchmark),
    // Times of samples and first calls are other populations than averages, in the same unit.
    ...(trial.mode === 'sample' || trial.mode === 'ss' ? [`mode=${trial.mode}`] : []),
    ...Object.entries(trial.params).map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`),
  ];
  const threads = trial.forks.find((fork) => fork.status === 'ok')?.iterations[0]?.threads?.length ?? 1;
  return `Benchmark${parts.join('/')}-${threads}`;
}

function trialLines(trial: Trial): string[] {
  const name = nameOf(trial);
  // What go test prints for a benchmark that fails; readers pass over it.
  if (trial.score === null) return [`--- FAIL: ${name}`];
  return perFork(trial).map(({ ops, value, unit, percentiles }) => {
    const pairs = [[value, unit], ...Object.entries(percentiles ?? {}).map(([p, ns]) => [ns, `${p}-ns/op`])] as [
      number,
      string,
    ][]; // prettier-ignore
    return [name, Math.max(1, Math.round(ops)), ...pairs.map(([n, of]) => `${decimal(n)} ${of}`)].join('\t');
  });
}

const facts = (environment: Environment): string[] =>
  [
    `node: ${environment.node}`,
    `v8: ${environment.v8}`,
    `os: ${environment.platform}`,
    `arch: ${environment.arch}`,
    `cpu: ${environment.cpuModel}`,
    `clock: ${environment.clock?.source ?? environment.backend}`,
  ].map(oneLine);

/** Go's benchmark text, one line per fork: the fork is what varies, and benchstat wants repeated measurements. */
export const gobench: Reporter = {
  id: 'gobench',
  extension: 'txt',
  about: 'Go benchmark text, for benchstat',
  defaultTarget: '-',
  format({ environment, trials }) {
    const files = [...new Set(trials.map(({ file }) => file))];
    const lines = files.flatMap((file) => [
      '',
      `pkg: ${oneLine(file)}`,
      ...trials.filter((trial) => trial.file === file).flatMap(trialLines),
    ]);
    const rates = trials.some((trial) => trial.mode === 'thrpt') ? ['Unit ops/s better=higher'] : [];
    return `${[...facts(environment), ...rates, ...lines].join('\n')}\n`;
  },
};
