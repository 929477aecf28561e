import type { Comparison, ComparisonRow } from '../../analysis/compare/index.js';
import type { Failure, RunResult, Trial } from '../../result/model.js';
import { ratioText } from '../compare.js';
import { fixed3 } from '../units.js';
import { labels } from './names.js';
import type { Reporter } from './reporter.js';
import { attributes, xml } from './xml.js';

const seconds = (trials: readonly Trial[]): string =>
  (trials.flatMap(({ forks }) => forks).reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000).toFixed(3);

const error = ({ phase, message, stack }: Failure): string =>
  `<error${attributes({ type: phase, message })}>${xml(stack ?? message)}</error>`;

/** Worse than its baseline by more than delta: what `tscope compare` exits with 1 for. */
function regression({ ratio, interval, baseline, metric, standing, delta, confidence }: ComparisonRow): string {
  const bounds = interval === null ? '' : ` [${interval.map(ratioText).join(', ')}]`;
  const what = standing === 'headline' ? '' : `${metric} `;
  const message = `${what}regressed against ${baseline.name}: cost ratio ${ratio === null ? 'unknown' : ratioText(ratio)}${bounds} at ${confidence * 100} %, delta ${delta * 100} %`;
  return `<failure${attributes({ type: 'regressed', message })}></failure>`;
}

const scoreText = ({ score }: Trial): string => {
  if (score === null) return 'no score';
  const half =
    score.error === null
      ? ` (${score.status})`
      : ` ± ${fixed3(score.error)} (${score.confidence * 100} %, ${score.method})`;
  return `${fixed3(score.value)}${half} ${score.unit}`;
};

function testCase(trial: Trial, name: string, problems: readonly string[]): string[] {
  const out = [
    scoreText(trial),
    ...trial.findings.map(({ id, severity, message }) => `${severity} [${id}] ${message}`),
  ];
  return [
    `    <testcase${attributes({ name, classname: trial.suite, file: trial.file, time: seconds([trial]) })}>`,
    ...problems.map((problem) => `      ${problem}`),
    `      <system-out>${xml(out.join('\n'))}</system-out>`,
    '    </testcase>',
  ];
}

/** Problems of each trial: it failed, or it regressed against the baseline of its suite. */
function problemsOf(result: RunResult, { rows }: Comparison): Map<string, { errors: string[]; failures: string[] }> {
  return new Map(
    result.trials.map((trial) => {
      const regressed = rows.filter(
        (row) =>
          row.kind !== 'winner' &&
          row.standing !== 'secondary' &&
          row.verdict === 'regressed' &&
          row.file === trial.file &&
          row.candidate.name === `${trial.suite}.${trial.benchmark}` &&
          row.mode === trial.mode &&
          JSON.stringify(row.params) === JSON.stringify(trial.params),
      );
      return [
        trial.id,
        {
          errors: trial.failure === null ? [] : [error(trial.failure)],
          failures: regressed.map(regression),
        },
      ];
    }),
  );
}

/** JUnit's XML: a test case per trial; an error where it failed, a failure where it regressed against the baseline of its suite. */
export const junit: Reporter = {
  id: 'junit',
  extension: 'xml',
  about: 'JUnit XML, for the test reports of CI servers',
  defaultTarget: '-',
  format(result, comparison) {
    const { trials, createdAt } = result;
    const names = labels(trials);
    const problems = problemsOf(result, comparison);
    const counts = (of: readonly Trial[]) => ({
      tests: of.length,
      errors: of.filter(({ id }) => problems.get(id)!.errors.length > 0).length,
      failures: of.filter(({ id }) => problems.get(id)!.failures.length > 0).length,
      time: seconds(of),
    });
    const keys = [...new Set(trials.map(({ file, suite }) => JSON.stringify([file, suite])))];
    const suites = keys.flatMap((key) => {
      const [file, name] = JSON.parse(key) as [string, string];
      const own = trials.filter((trial) => trial.file === file && trial.suite === name);
      return [
        `  <testsuite${attributes({ name, file, ...counts(own), ...(createdAt === '' ? {} : { timestamp: createdAt.replace(/\.\d+Z$|Z$/, '') }) })}>`,
        ...own.flatMap((trial) => {
          const { errors, failures } = problems.get(trial.id)!;
          return testCase(trial, names[trials.indexOf(trial)]!, [...errors, ...failures]);
        }),
        '  </testsuite>',
      ];
    });
    return `${['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${attributes({ name: 'tscope', ...counts(trials) })}>`, ...suites, '</testsuites>'].join('\n')}\n`;
  },
};
