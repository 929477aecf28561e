import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { expressionModule } from '#lib/api/expressions.js';
import { scratch } from '../support/cli.js';

interface Loaded {
  readonly default: {
    readonly definition: {
      setup(): Promise<Record<string, unknown>>;
      benchmarks: Record<string, { baseline: boolean; run(state: unknown): unknown }>;
    };
  };
}

let count = 0;

async function load(folder: string, expressions: string[], setup = '') {
  const file = join(folder, `${count++}.mjs`);
  writeFileSync(file, expressionModule(expressions, setup));
  return ((await import(pathToFileURL(file).href)) as Loaded).default.definition;
}

test('what setup declares in any way reaches the expressions as state', async (t) => {
  const setup = `import { join } from 'node:path';
const list = [3, 1, 2]; let a = 1, b = 2;
const { x, y: renamed } = { x: 10, y: 20 };
const [first] = list;
function twice(n) { return 2 * n }
class Box { value = 7 }
const dynamic = (await import('node:os')).EOL;`;
  const expression =
    '[list.length, a + b, x, renamed, first, twice(4), new Box().value, join("p", "q"), typeof dynamic]';
  const { setup: run, benchmarks } = await load(scratch(t), [expression], setup);
  const state = await run();
  const [benchmark] = Object.values(benchmarks);
  t.deepEqual(benchmark!.run(state), [3, 3, 10, 20, 3, 8, 7, 'p/q', 'string']);
  t.true(Object.keys(state).includes('list'), 'as a property of the state, not through an enclosing scope');
  t.false(benchmark!.baseline);
});

test('of two the first is the baseline; the same text twice is two benchmarks; await makes one asynchronous', async (t) => {
  const { benchmarks } = await load(scratch(t), ['1 + 1;', '1 + 1;']);
  t.deepEqual(
    Object.entries(benchmarks).map(([name, { baseline }]) => [name, baseline]),
    [
      ['1 + 1;', true],
      ['1 + 1; (2)', false],
    ],
  );
  const later = await load(scratch(t), ['await Promise.resolve(5)']);
  t.is(await Object.values(later.benchmarks)[0]!.run({}), 5);
});

test('an object literal is an expression, and a comment does not swallow the rest', async (t) => {
  const { benchmarks } = await load(scratch(t), ['{ a: 1 } // one', '({ a: 1 })']);
  for (const { run } of Object.values(benchmarks)) t.deepEqual(run({}), { a: 1 });
});

for (const [title, expressions, setup, message] of [
  ['a syntax error', ['1 +'], '', /^eval: the given expression "1 \+" is not one: .*Statements belong in --setup\.$/],
  ['a statement', ['1', 'return 2'], '', /^eval: the second expression "return 2" is not one/],
  ['nothing', ['1', ' '], '', /^eval: the second expression is empty\.$/],
  ['a broken setup', ['1'], 'const = 3', /^eval, --setup: does not parse: /],
] as const) {
  test(`${title} is refused in one sentence`, (t) => {
    t.throws(() => expressionModule(expressions, setup), { name: 'UsageError', message });
  });
}
