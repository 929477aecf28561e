/** A group runs each method on exactly its threads; `max` and `half` count the CPUs that may be used. */
import { availableParallelism } from 'node:os';
import test from 'ava';
import { measured, TINY, texts, trialOf } from './support.js';

test.serial(
  'methods get their threads, a method with 0 none, each keeps index and group for the whole fork',
  async (t) => {
    const run = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Group', '-bm', 'thrpt']);
    t.is(run.code, 0, run.stdout);
    t.deepEqual(run.result.trials.map(({ benchmark }) => benchmark).sort(), ['alone', 'queue']);
    const queue = trialOf(run.result, 'queue');
    const ends = texts(run.of(queue)).filter((text) => text.startsWith('teardown '));
    t.deepEqual(ends.sort(), [
      'teardown put 0 of 4 in put',
      'teardown take 1 of 4 in take',
      'teardown take 2 of 4 in take',
      'teardown take 3 of 4 in take',
    ]);
    t.false(run.notes.some(({ text }) => text.startsWith('role changed')));
    for (const { threads } of queue.forks[0]!.iterations) {
      t.deepEqual(
        threads!.map(({ label }) => label),
        ['put', 'take', 'take', 'take'],
      );
    }
    t.deepEqual(Object.keys(queue.secondary).sort(), ['put', 'take'], 'each method has a score of its own');
    const { put, take } = queue.secondary;
    t.true(Math.abs(queue.score!.value / (put!.value + take!.value) - 1) < 1e-9, 'and they add up to the score');
    t.regex(run.stdout, /Group\.queue:take/);
  },
);

for (const [asked, copies, told] of [
  ['1', 1, /\[group-threads\] Copies\.queue.* the 1 asked for was rounded up to 2, one copy\./],
  ['2', 1, null],
  [
    '3',
    2,
    /\[group-threads\] Copies\.queue.* a group of 2 threads .* the 3 asked for were rounded up to 4, 2 copies\./,
  ],
  ['4', 2, null],
] as const) {
  test.serial(
    `-t ${asked} on a group of 2: ${copies} whole cop${copies === 1 ? 'y' : 'ies'} on one shared`,
    async (t) => {
      const run = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Copies', '-t', asked, '-bm', 'thrpt']);
      t.is(run.code, 0, run.stdout);
      const queue = trialOf(run.result, 'queue');
      const notes = texts(run.of(queue));
      t.is(notes.filter((text) => text === 'shared').length, 1, 'shared is per fork, not per copy');
      const count = 2 * copies;
      const roles = Array.from({ length: count }, (_, i) => {
        const method = ['put', 'take'][i % 2];
        return `teardown copy ${i >> 1} of ${copies}: ${method} ${i} of ${count} in ${method}`;
      });
      t.deepEqual(notes.filter((text) => text.startsWith('teardown ')).sort(), roles);
      for (const { threads } of queue.forks[0]!.iterations) {
        t.deepEqual(
          threads!.map(({ label }) => label),
          Array.from({ length: count }, (_, i) => ['put', 'take'][i % 2]),
        );
      }
      const { put, take } = queue.secondary;
      t.true(Math.abs(queue.score!.value / (put!.value + take!.value) - 1) < 1e-9, 'methods add up over copies');
      if (told) t.regex(run.stdout, told);
      else t.notRegex(run.stdout, /group-threads/);
    },
  );
}

test.serial(
  'threads that nobody asked for are one copy, without a word; the environment can ask as well',
  async (t) => {
    const silent = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Copies']);
    t.is(trialOf(silent.result, 'queue').forks[0]!.iterations[0]!.threads!.length, 2);
    t.notRegex(silent.stdout, /group-threads/);
    const env = await measured(t, 'threads.bench.mjs', [...TINY, '--only', '^Copies'], { TSCOPE_THREADS: '4' });
    t.is(trialOf(env.result, 'queue').forks[0]!.iterations[0]!.threads!.length, 4);
  },
);

for (const [name, count] of [
  ['max', availableParallelism()],
  ['half', Math.max(1, Math.floor(availableParallelism() / 2))],
] as const) {
  test.serial(
    `-t ${name} is ${name === 'max' ? 'every CPU' : 'every other CPU'} that this process may use`,
    async (t) => {
      const args = [...TINY, '-t', name, '--only', '^Same', '-wi', '1', '-i', '1'];
      const run = await measured(t, 'threads.bench.mjs', args);
      t.is(run.code, 0, run.stdout);
      const notes = texts(run.notes).filter((text) => text.startsWith('teardown '));
      t.is(notes.length, count);
      t.true(notes.every((text) => text.includes(` of ${count} `)));
    },
  );
}
