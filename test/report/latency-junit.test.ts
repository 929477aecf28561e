import test from 'ava';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { parseThreshold, type ThresholdResult } from '#lib/latency/threshold.js';
import { limitsJunit } from '#lib/report/latency-junit.js';

test('limits become test cases: kept, exceeded and undecided, with names that hurt', (t) => {
  const result = (text: string, status: ThresholdResult['status'], message: string): ThresholdResult => ({
    threshold: parseThreshold(text),
    status,
    valueNs: null,
    message,
  });
  const name = 'a "b" <c> & \'d\'\n→ 日本';
  const xml = limitsJunit([
    {
      name,
      file: 'x.latency.ts',
      results: [
        result('p99=2ms', 'kept', 'below <the> limit'),
        result('p99.9=10ms', 'exceeded', 'above & beyond'),
        result('p99.99=1s', 'too-few', 'needs 100000 samples'),
      ],
    },
  ]);
  t.is(XMLValidator.validate(xml), true);
  const read = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    htmlEntities: true,
  }).parse(xml);
  const suite = read.testsuites.testsuite;
  t.is(suite.name, name);
  t.deepEqual([suite.tests, suite.failures, suite.errors], ['3', '1', '1']);
  t.is(suite.testcase[0]['system-out'], 'below <the> limit');
  t.is(suite.testcase[1].failure.message, 'above & beyond');
  t.is(suite.testcase[2].error.type, 'too-few');
});
