/** Inputs of the form `module#export`: one function of a module, measured in forks. */
import { existsSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeModule } from './inline.js';

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/**
 * The benchmark file for `module#export`, written when it is needed; other inputs are returned as they are. The function is called as
 * `tscope quick` calls it: with a count of steps (param `steps`) and a timer, which measures nothing here.
 */
export function exportInput(input: string, cwd: string): string {
  const at = input.lastIndexOf('#');
  if (at <= 0 || at === input.length - 1 || isFile(resolve(cwd, input))) return input;
  const path = resolve(cwd, input.slice(0, at));
  if (!isFile(path)) return input;
  const name = input.slice(at + 1);
  const [url, text] = [pathToFileURL(path).href, JSON.stringify(name)];
  const source = `import * as all from ${JSON.stringify(url)};
const inner = Object(all.default);
const fn = Object.hasOwn(all, ${text}) ? all[${text}] : inner[${text}];
if (typeof fn !== 'function') {
  const names = Object.keys(all).filter((key) => typeof all[key] === 'function');
  throw new Error('${basename(path).replace(/['\\]/g, '\\$&')} exports no function ' + ${JSON.stringify(text)} + '; functions there: ' + (names.join(', ') || 'none'));
}
const timer = { time: 0, start() {}, stop() {} };
export default {
  kind: 'suite',
  name: ${JSON.stringify(basename(path).replace(/\.[cm]?[jt]s$/, ''))},
  definition: { params: { steps: [1000] }, benchmarks: { [${text}]: ({ steps }) => fn(steps, timer) } },
};
`;
  return writeModule(name, source, cwd);
}
