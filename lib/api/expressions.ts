/** Benchmark files from expressions: what `tscope eval` measures. */
import { Script } from 'node:vm';
import { UsageError } from '../runner/usage-error.js';

const IMPORT = /^[ \t]*import\b[^;('"]*['"][^'"\n]+['"][ \t]*;?/gm;
const DECLARED =
  /\b(?:const|let|var)\s+(\{[^=]*\}|\[[^=]*\]|[\w$]+)|\b(?:function\*?|class)\s+([\w$]+)|,\s*([\w$]+)\s*=(?![=>])/g;
const NAME = /[A-Za-z_$][\w$]*/g;
const RESERVED = new Set(
  'const let var function class return new typeof await async of in this null true false undefined'.split(' '),
);

function problemOf(source: string): string | null {
  try {
    new Script(source);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The expression as a function body; an `await` in it makes the benchmark asynchronous. */
function bodyOf(expression: string, which: string): { readonly async: boolean; readonly text: string } {
  const text = expression.trim().replace(/;+$/, '');
  if (text === '') throw new UsageError(`eval: the ${which} expression is empty.`);
  const whole = `(${text}\n)`;
  const problem = problemOf(`() => ${whole}`);
  if (problem === null) return { async: false, text: whole };
  if (problemOf(`async () => ${whole}`) === null) return { async: true, text: whole };
  throw new UsageError(
    `eval: the ${which} expression ${JSON.stringify(text)} is not one: ${problem}. Statements belong in --setup.`,
  );
}

/** Names that `setup` seems to declare and `text` seems to use: they are handed over as state, as in a benchmark written by hand. */
function stateNames(setup: string, text: string): string[] {
  const declared = new Set<string>();
  for (const [, pattern, named, further] of setup.matchAll(DECLARED)) {
    for (const name of (pattern ?? named ?? further ?? '').match(NAME) ?? []) declared.add(name);
  }
  const used = new Set(text.match(NAME));
  return [...declared].filter((name) => used.has(name) && !RESERVED.has(name));
}

/** What a benchmark is called: its text on one line. */
function nameOf(expression: string, taken: ReadonlySet<string>): string {
  const line = expression.trim().replace(/\s+/g, ' ');
  const name = line.length > 60 ? `${line.slice(0, 57)}...` : line;
  return taken.has(name) ? `${name} (2)` : name;
}

/**
 * Source of a benchmark file that measures the expressions; of two, the first is the baseline.
 *
 * `setup` runs once per fork in an async function; its `import` lines move to the top of the module. What it declares reaches the
 * expressions as properties of the state and not as variables of an enclosing scope, which V8 may treat as constants.
 *
 * @throws UsageError naming the expression, or the setup, that does not parse.
 */
export function expressionModule(expressions: readonly string[], setup: string): string {
  const imports = setup.match(IMPORT) ?? [];
  const statements = setup.replace(IMPORT, '').trim();
  const problem = problemOf(`async () => {\n${statements}\n}`);
  if (problem !== null) throw new UsageError(`eval, --setup: does not parse: ${problem}.`);
  const names = new Set<string>();
  const benchmarks = expressions.map((expression, i) => {
    const { async, text } = bodyOf(expression, expressions.length === 1 ? 'given' : i === 0 ? 'first' : 'second');
    const name = nameOf(expression, names);
    names.add(name);
    const baseline = expressions.length > 1 && i === 0;
    const state = stateNames(statements, text);
    const parameter = state.length > 0 ? `{ ${state.join(', ')} }` : '';
    return {
      state,
      text: `    ${JSON.stringify(name)}: { baseline: ${baseline}, run: ${async ? 'async ' : ''}(${parameter}) => ${text} },`,
    };
  });
  const handed = [...new Set(benchmarks.flatMap(({ state }) => state))];
  const fields = handed.map((name) => `${name}: typeof ${name} === 'undefined' ? undefined : ${name}`);
  return `${imports.map((line) => line.trim()).join('\n')}
export default { kind: 'suite', name: 'eval', definition: {
  setup: async () => {
${statements}
;return { ${fields.join(', ')} };
  },
  benchmarks: {
${benchmarks.map(({ text }) => text).join('\n')}
  },
} };
`;
}
