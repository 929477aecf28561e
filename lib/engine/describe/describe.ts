import type { DescribeRequest, SuiteDescription } from '../../protocol/messages.js';
import { combine, overrideParams } from '../../suite/combinations.js';
import { type CheckedSuite, checkSuites, FIXTURES } from '../../suite/validate.js';

function describeSuite(suite: CheckedSuite, overrides: DescribeRequest['paramOverrides']): SuiteDescription {
  const where = `suite "${suite.name}"`;
  const params = overrideParams(suite.definition.params ?? {}, overrides, where);
  return {
    name: suite.name,
    options: suite.options,
    params,
    combinations: combine(params, suite.definition.where, where),
    benchmarks: suite.benchmarks,
    fixtures: FIXTURES.filter((name) => suite.definition[name] !== undefined),
    counters: suite.definition.counters ?? {},
  };
}

/**
 * What a benchmark file declares, as data.
 *
 * @param exported The default export of the file.
 * @throws SuiteError with the first mistake.
 */
export function describeExport(exported: unknown, overrides: DescribeRequest['paramOverrides']): SuiteDescription[] {
  return checkSuites(exported).map((suite) => describeSuite(suite, overrides));
}
