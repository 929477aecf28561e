/** The first example, in a short form: what the README promises of it. */
import { join } from 'node:path';
import test from 'ava';
import { ROOT, scratch, theRun, tscope } from '../support/cli.js';

const file = join(ROOT, 'examples/hash.bench.ts');

test.serial('four param sets, each with an interval; 16 times the rounds cost about 16 times as much', async (t) => {
  const cwd = scratch(t);
  const short = ['-f', '3', '-wi', '4', '-w', '50ms', '-i', '3', '-r', '30ms', '--no-config'];
  const { code, stdout, stderr } = await tscope(['run', file, ...short], { cwd });
  t.is(code, 0, stdout + stderr);
  const { trials } = theRun(cwd).result();
  t.deepEqual(
    trials.map(({ params, status, forks }) => [params.seed, params.rounds, status, forks.length]),
    [
      [7, 64, 'ok', 3],
      [7, 1024, 'ok', 3],
      [42, 64, 'ok', 3],
      [42, 1024, 'ok', 3],
    ],
  );
  for (const { score, findings, id } of trials) {
    t.true(score!.error! > 0, id);
    t.false(
      findings.some((finding) => finding.id === 'eliminated'),
      id,
    );
  }
  // The quickest chunk: what the machine takes away from the others does not reach it.
  const quickest = trials.map(({ forks }) =>
    Math.min(...forks.flatMap(({ iterations }) => iterations.map(({ chunks }) => chunks!.minNs))),
  );
  for (const at of [0, 2]) {
    const ratio = quickest[at + 1]! / quickest[at]!;
    t.true(ratio > 10 && ratio < 25, `${ratio}`);
  }
});
