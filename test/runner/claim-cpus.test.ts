import test from 'ava';
import { claimCpus } from '#lib/runner/claim-cpus.js';

const cpus = { measured: [1], helpers: [0] };

test('a held core is told with its holder, a free one is given back at the end', (t) => {
  let released = 0;
  const reservation = { cpus: [1], release: () => void released++, [Symbol.dispose]: () => {} };
  const free = claimCpus(cpus, false, () => ({ ok: true, reservation }) as never);
  t.deepEqual(free.findings, []);
  free.restore();
  t.is(released, 1);

  const holder = { cpu: 1, pid: 77, command: 'tscope run other.bench.ts' };
  const held = { ok: false, errno: 11, code: 'EAGAIN', message: '', hint: '', holder };
  const shared = claimCpus(cpus, false, () => held as never);
  t.is(shared.findings[0]!.id, 'cpu-shared');
  t.regex(shared.findings[0]!.message, /CPU 1 .*process 77: tscope run other\.bench\.ts/);
  shared.restore();
});

test('nothing is reserved for a run that is not pinned; a refusal for another reason is no finding', (t) => {
  claimCpus({ measured: null, helpers: null }, false, () => t.fail() as never);
  const refused = { ok: false, errno: null, code: 'NO_ADDON', message: '', hint: '', holder: null };
  t.deepEqual(claimCpus(cpus, false, () => refused as never).findings, []);
});
