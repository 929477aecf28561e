/** One test of Benchmark.js as something that can be called: the semantics of its compiled loop, without the loop. */

/** A test as Benchmark.js holds it. */
export interface LegacyBenchmark {
  readonly name?: string;
  readonly fn: Code;
  readonly setup?: Code;
  readonly teardown?: Code;
  readonly defer?: boolean;
}

type Code = string | ((this: unknown, ...args: unknown[]) => unknown);

/** A test, ready for an engine. */
export interface Body {
  /** Once per fork: compiles and tries it. @throws Error when the test cannot be compiled or throws. */
  prepare(): void;
  /** Before each timed iteration. */
  setup(): void;
  /** One invocation; a promise when the test is deferred. */
  run: () => unknown;
  /** After each timed iteration. */
  teardown(): void;
}

interface Compiled {
  fn(deferred?: unknown): unknown;
  teardown(): void;
}

const isText = (code: Code | undefined): code is string =>
  typeof code !== 'function' || Object.hasOwn(code, 'toString');

/** Body of a function, or the text itself, trimmed: what Benchmark.js pastes into its loop. Empty = nothing to do. */
function textOf(code: Code | undefined): string {
  if (code === undefined || code === null) return '';
  const text = isText(code)
    ? String(code)
    : (/^[^{]+\{([\s\S]*)\}\s*$/.exec(Function.prototype.toString.call(code))?.[1] ?? '');
  // Benchmark.js's own empty setup is a function that holds a comment.
  return /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/.test(text) ? '' : text.trim();
}

/** Name under which a deferred test gets its Deferred. */
function argumentOf(code: Code): string {
  if (isText(code)) return 'deferred';
  return (
    /^[\s(]*(?:async\s*)?function[^(]*\(([^\s,)]+)/.exec(Function.prototype.toString.call(code))?.[1] ?? 'deferred'
  );
}

/** Setup, test and teardown as one function, so that the test sees the variables of its setup. */
function compile(test: LegacyBenchmark): () => Compiled {
  const source = `var global = window, clearTimeout = global.clearTimeout, setTimeout = global.setTimeout;
${textOf(test.setup)}
;return {
  fn: (${test.defer ? argumentOf(test.fn) : ''}) => {
${textOf(test.fn)}
  },
  teardown: () => {
${textOf(test.teardown)}
  }
};`;
  const factory = new Function('window', source) as (window: unknown) => Compiled;
  return () => factory.call(test, globalThis);
}

/** Setup, test and teardown called as they are, with what is around them. */
function closures(test: LegacyBenchmark): () => Compiled {
  const call = (code: Code | undefined) =>
    typeof code === 'function' ? (argument?: unknown) => code.call(test, argument) : () => {};
  const [setup, fn, teardown] = [call(test.setup), call(test.fn), call(test.teardown)];
  return () => {
    setup();
    return { fn, teardown: () => void teardown() };
  };
}

const needsText = (test: LegacyBenchmark): boolean =>
  isText(test.fn) || textOf(test.setup) !== '' || textOf(test.teardown) !== '';

const anyText = (test: LegacyBenchmark): boolean =>
  [test.fn, test.setup, test.teardown].some((code) => code !== undefined && isText(code));

/** Calls a deferred test; resolving what it gets ends the invocation. Where its text throws, it is called as a function, as there. */
const deferredCall = (compiled: Compiled, test: LegacyBenchmark): Promise<void> =>
  new Promise((resolve) => {
    const deferred = { benchmark: test, resolve: () => resolve() };
    try {
      compiled.fn(deferred);
    } catch (error) {
      if (isText(test.fn)) throw error;
      test.fn.call(test, deferred);
    }
  });

/**
 * Text is used where Benchmark.js uses it (a test, setup or teardown given as text, or a setup or teardown that does something). As there, a
 * test whose text does not run outside its surroundings is called as a function instead.
 */
export function bodyOf(test: LegacyBenchmark, title: string): Body {
  let make: (() => Compiled) | null = null;
  let compiled: Compiled | null = null;

  /** Deferred tests are not tried: the first invocation shows what they do. */
  const works = (candidate: () => Compiled): unknown => {
    try {
      const tried = candidate();
      if (!test.defer) tried.fn();
      tried.teardown();
      return null;
    } catch (error) {
      return error ?? new Error('threw nothing');
    }
  };

  const body: Body = {
    prepare() {
      if (!needsText(test)) {
        make = closures(test);
        return;
      }
      let problem: unknown;
      try {
        make = compile(test);
        problem = works(make);
      } catch (error) {
        problem = error;
      }
      if (problem === null) return;
      const why = problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem);
      if (anyText(test)) throw new Error(`the test "${title}" does not run: ${why}`, { cause: problem });
      make = closures(test);
    },
    setup() {
      compiled = make!();
    },
    run: test.defer ? () => deferredCall(compiled!, test) : () => compiled!.fn(),
    teardown() {
      compiled!.teardown();
    },
  };
  // Without text there is nothing between the engine and the test.
  const { fn } = test;
  if (!test.defer && !needsText(test) && typeof fn === 'function') body.run = () => fn.call(test);
  return body;
}
