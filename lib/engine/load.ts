/** Finds the planned benchmark in the user's file. The host has validated it; what is missing now has changed since. */
import { installLoader } from '../loader/loaded.js';
import type { BenchmarkDefinition, BenchmarkFunction, Suite, SuiteDefinition } from '../suite/types.js';
import { describeThrown, PhaseError } from './failure.js';

const { pathToFileURL } = process.getBuiltinModule('node:url');

// biome-ignore lint/suspicious/noExplicitAny: the user's types end here; the engine hands values through.
type Any = any;
export type LoadedDefinition = SuiteDefinition<Any, Any, Any, Any, Any>;
export type LoadedFunction = BenchmarkFunction<Any, Any, Any>;

/** A benchmark as the engine runs it. */
export interface LoadedBenchmark {
  readonly name: string;
  readonly fn: LoadedFunction;
}

export interface LoadedSuite {
  readonly name: string;
  readonly definition: LoadedDefinition;
  readonly benchmark: (name: string) => LoadedBenchmark;
}

/** The default export as a list of suites; of CommonJS that was compiled from ESM, the inner default. */
export function suitesOf(exported: unknown): readonly Suite[] {
  const inner = (exported as { default?: unknown } | null | undefined)?.default ?? exported;
  const list = Array.isArray(inner) ? inner : [inner];
  return list.filter((item): item is Suite => (item as Suite | null | undefined)?.kind === 'suite');
}

/** Imports `file` and picks suite `name`. @throws PhaseError `load` when the file throws or no longer has it. */
export async function loadSuite(file: string, name: string): Promise<LoadedSuite> {
  let module: { default?: unknown };
  try {
    await installLoader();
    module = await import(pathToFileURL(file).href);
  } catch (error) {
    throw new PhaseError('load', `${file} could not be loaded: ${describeThrown(error)}`, error);
  }
  const suite = suitesOf(module.default).find((candidate) => candidate.name === name);
  if (!suite) throw new PhaseError('load', `${file} exports no suite "${name}" (any more)`);
  return pickSuite(suite);
}

/** A suite whose benchmarks can be looked up. */
export function pickSuite(suite: Suite): LoadedSuite {
  const definition = suite.definition as LoadedDefinition;
  return {
    name: suite.name,
    definition,
    benchmark(name) {
      const found = definition.benchmarks[name] as LoadedFunction | BenchmarkDefinition<Any, Any, Any> | undefined;
      const fn = typeof found === 'function' ? found : found?.run;
      if (typeof fn !== 'function') {
        throw new PhaseError('load', `suite "${suite.name}" has no benchmark "${name}" (any more)`);
      }
      return { name, fn };
    },
  };
}
