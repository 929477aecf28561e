import test from 'ava';
import { onEveryNode } from '../engine/support/nodes.js';
import { fixture, runFork } from '../engine/support/run-fork.js';

const file = fixture('engine/fixtures/basic.mjs');
const plan = {
  file,
  suite: 'Basic',
  params: { n: 12345 },
  warmupIterations: null,
  iterations: 1,
  linearityCheck: true,
};
const FLAGS = new Set(['eliminated', 'below-floor']);

onEveryNode(test, (name, node) => {
  test.serial(`${name}: a removable body is flagged as eliminated, with what to change`, async (t) => {
    t.timeout(60_000);
    for (const benchmark of ['removable', 'constant']) {
      const report = await runFork({ ...plan, benchmark }, { node });
      t.log(report.of('runtime')[0]?.runtime.node);
      t.true(report.of('warm')[0]?.linearity?.eliminated, `${benchmark}: ${JSON.stringify(report.of('warm'))}`);
      const finding = report.findings.find(({ id }) => id === 'eliminated');
      t.regex(finding?.message ?? '', /Return the result.*setup.*inputs/s);
    }
  });

  test.serial(`${name}: bodies that return their result from state are not flagged`, async (t) => {
    t.timeout(60_000);
    for (const benchmark of ['root', 'chain', 'text', 'object', 'slow']) {
      const report = await runFork({ ...plan, benchmark }, { node });
      const flags = report.findings.filter(({ id }) => FLAGS.has(id));
      t.deepEqual(flags, [], `${benchmark}: ${JSON.stringify(report.of('warm')[0]?.linearity)}`);
    }
    // Reading one number costs 0.1 to 0.3 ns beside an empty body: it may be too small to be seen, but it is not removed.
    const report = await runFork({ ...plan, benchmark: 'identity' }, { node });
    t.false(report.findings.some(({ id }) => id === 'eliminated'));
  });

  test.serial(`${name}: warm-up ends in top-tier code, and the tier is recorded`, async (t) => {
    t.timeout(60_000);
    const report = await runFork({ ...plan, benchmark: 'chain', linearityCheck: false }, { node });
    t.is(report.of('warm')[0]?.end, 'steady');
    const tier = report.iterations[0]!.tier!;
    t.is(tier.loop, 'turbofan');
    t.true(tier.body === 'turbofan' || tier.body === 'inlined', tier.body);
  });

  test.serial(`${name}: a lower tier is measured when the optimiser is off, and is recorded`, async (t) => {
    t.timeout(60_000);
    const report = await runFork(
      { ...plan, benchmark: 'chain', warmupMaxMs: 400, linearityCheck: false },
      { node, args: ['--no-opt', '--no-maglev'] },
    );
    t.is(report.of('warm')[0]?.end, 'cap', report.stderr);
    // What the finding `not-top-tier` is made of.
    const tier = report.iterations[report.iterations.length - 1]!.tier!;
    const low = ['interpreter', 'baseline'];
    t.true(low.includes(tier.loop) && low.includes(tier.body), JSON.stringify(tier));
  });
});
