import type { ThresholdResult } from '../latency/threshold.js';
import { attributes, xml } from './formats/xml.js';

/** The limits of one measurement, judged. */
export interface JudgedLimits {
  /** Name of the measurement. */
  readonly name: string;
  readonly file: string;
  readonly results: readonly ThresholdResult[];
}

/** JUnit XML of limits (`--max p99=2ms`): a test case per limit; one that was exceeded fails, one that too few samples leave open is an error. */
export function limitsJunit(measurements: readonly JudgedLimits[]): string {
  const suites = measurements.map(({ name, file, results }) => {
    const count = (status: ThresholdResult['status']) => results.filter((result) => result.status === status).length;
    const cases = results.flatMap(({ threshold, status, message }) => {
      const tag = status === 'exceeded' ? 'failure' : status === 'too-few' ? 'error' : null;
      return [
        `    <testcase${attributes({ name: threshold.text, classname: name, file })}>`,
        tag === null
          ? `      <system-out>${xml(message)}</system-out>`
          : `      <${tag}${attributes({ type: status, message })}></${tag}>`,
        '    </testcase>',
      ];
    });
    const counts = { tests: results.length, failures: count('exceeded'), errors: count('too-few') };
    return [`  <testsuite${attributes({ name, ...counts })}>`, ...cases, '  </testsuite>'];
  });
  return `${['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites.flat(), '</testsuites>'].join('\n')}\n`;
}
