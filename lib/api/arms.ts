/** The benchmark file that {@link expectFaster} measures. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { UsageError } from '../runner/usage-error.js';
import { show } from '../suite/show.js';
import type { Subject } from './expect-faster.js';
import { writeModule } from './inline.js';
import { SourceTextError, sourceText } from './source-text.js';

const isExport = (subject: unknown): subject is Exclude<Subject, (...args: never[]) => unknown> =>
  typeof subject === 'object' && subject !== null && 'module' in subject;

/** One statement that binds `name` to the function. */
function binding(subject: unknown, name: string, what: string, cwd: string): string {
  if (isExport(subject)) {
    const { module, export: key = 'default' } = subject;
    const isPath = typeof module === 'string' && !module.startsWith('file:');
    const path = isPath ? resolve(cwd, module) : fileURLToPath(module);
    if (!existsSync(path)) throw new UsageError(`expectFaster, ${what}: ${String(module)}: no such file.`);
    const from = JSON.stringify(pathToFileURL(path).href);
    return `import * as ${name}Module from ${from};
const ${name} = ${name}Module[${JSON.stringify(key)}];
if (typeof ${name} !== 'function') throw new Error(${JSON.stringify(`expectFaster, ${what}: ${String(module)} exports no function "${key}"`)});`;
  }
  if (typeof subject !== 'function') {
    throw new TypeError(`expectFaster, ${what}: must be a function or { module, export }, not ${show(subject)}.`);
  }
  try {
    return `const ${name} = ${sourceText(subject, what)};`;
  } catch (error) {
    if (error instanceof SourceTextError) throw new UsageError(`expectFaster: ${error.message}.`);
    throw error;
  }
}

/** Writes the file; see {@link expectFaster} for what the parts mean and for errors. */
export function writeArms(candidate: unknown, baseline: unknown, setup: unknown, cwd: string): string {
  const call = (name: string) => (setup === undefined ? `() => ${name}()` : `(state) => ${name}(state)`);
  const source = `${binding(candidate, 'candidate', 'the candidate', cwd)}
${binding(baseline, 'baseline', 'the baseline', cwd)}
${setup === undefined ? '' : binding(setup, 'setup', 'setup', cwd)}
export default { kind: 'suite', name: 'expectFaster', definition: {
  ${setup === undefined ? '' : 'setup: () => setup(),'}
  benchmarks: {
    candidate: ${call('candidate')},
    baseline: { baseline: true, run: ${call('baseline')} },
  },
} };
`;
  return writeModule('expect-faster', source, cwd);
}
