import type { RunResult } from '../../result/model.js';
import { decimal } from './escape.js';
import { labels } from './names.js';
import type { Reporter } from './reporter.js';

const MARKS: Readonly<Record<string, string>> = { '\n': '|n', '\r': '|r', '|': '||', "'": "|'", '[': '|[', ']': '|]' };

/** A value inside a service message; beyond ASCII by code unit, so that no console's encoding can harm it. */
const value = (text: string): string =>
  text.replace(
    /[^ -~]|['|[\]]/g,
    (c) => MARKS[c] ?? `|0x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );

const message = (name: string, attributes: Readonly<Record<string, string>>): string =>
  `##teamcity[${name}${Object.entries(attributes)
    .map(([key, text]) => ` ${key}='${value(text)}'`)
    .join('')}]`;

function lines({ trials }: RunResult): string[] {
  const names = labels(trials);
  return trials.flatMap((trial, i) => {
    const name = names[i]!;
    const statistic = (key: string, n: number) => message('buildStatisticValue', { key, value: decimal(n) });
    const problem =
      trial.failure &&
      message('buildProblem', { description: `${name}: ${trial.failure.phase}: ${trial.failure.message}` }); // prettier-ignore
    const { score } = trial;
    return [
      ...(score === null ? [] : [statistic(`${name}, ${score.unit}`, score.value)]),
      ...(score?.error == null ? [] : [statistic(`${name}, error, ${score.unit}`, score.error)]),
      ...Object.entries(trial.secondary).map(([label, of]) => statistic(`${name}:${label}, ${of.unit}`, of.value)),
      ...(problem ? [problem] : []),
    ];
  });
}

/** Service messages of TeamCity: a statistic per score, a build problem per failure. Must reach standard output of the build step. */
export const teamcity: Reporter = {
  id: 'teamcity',
  extension: 'txt',
  about: 'service messages of TeamCity',
  defaultTarget: '-',
  format: (result) =>
    lines(result)
      .map((line) => `${line}\n`)
      .join(''),
};
