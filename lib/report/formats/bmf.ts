import type { Score } from '../../result/model.js';
import { parseScoreUnit, unitFactor } from '../../result/units.js';
import { withoutScore } from './left-out.js';
import { labels } from './names.js';
import type { Reporter } from './reporter.js';

interface Metric {
  readonly value: number;
  readonly lower_value?: number;
  readonly upper_value?: number;
}

/** Bencher's own measures are latency in ns and throughput in ops/s; events get one of their own. */
function measureOf(score: Score, name: string): [measure: string, metric: Metric] {
  const parsed = parseScoreUnit(score.unit);
  const factor = parsed === null ? 1 : unitFactor(score.unit, parsed.rate ? 'ops/s' : 'ns/op')!;
  const base = parsed === null ? 'events' : parsed.rate ? 'throughput' : 'latency';
  const percentile = /^p([01])\.(\d+)$/.exec(name);
  const measure = percentile ? `${base}-p${Number(name.slice(1)) * 100}` : base;
  const bounds = score.interval?.map((bound) => bound * factor);
  return [
    measure,
    { value: score.value * factor, ...(bounds ? { lower_value: bounds[0]!, upper_value: bounds[1]! } : {}) },
  ];
}

/** Bencher Metric Format; bounds are those of the interval over forks. */
export const bmf: Reporter = {
  id: 'bmf',
  extension: 'json',
  about: 'Bencher Metric Format',
  defaultTarget: '-',
  format({ trials }) {
    const names = labels(trials, ['avgt', 'thrpt']);
    const benchmarks = new Map<string, Map<string, Metric>>();
    const add = (name: string, [measure, metric]: [string, Metric]) => {
      const of = benchmarks.get(name) ?? new Map<string, Metric>();
      benchmarks.set(name, of.set(measure, metric));
    };
    trials.forEach((trial, i) => {
      const name = names[i]!;
      if (trial.score === null) return;
      add(name, measureOf(trial.score, ''));
      for (const [label, score] of Object.entries(trial.secondary)) {
        const percentile = trial.mode === 'sample' && score.level === 'sample';
        add(percentile ? name : `${name}:${label}`, measureOf(score, percentile ? label : ''));
      }
    });
    const entries = [...benchmarks].map(([name, metrics]) => [name, Object.fromEntries(metrics)]);
    return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
  },
  leavesOut(result) {
    const long = labels(result.trials, ['avgt', 'thrpt']).filter((name) => name.length > 1024).length;
    const refused = `Bencher refuses names of more than 1024 characters, and ${long === 1 ? 'one is' : `${long} are`} longer.`;
    return [...withoutScore(result), ...(long > 0 ? [refused] : [])];
  },
};
