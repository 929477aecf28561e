/** JavaScript source of plain data and self-contained functions, so that they can live again in another process. */
import { Script } from 'node:vm';

/** A value that has no source text; the message completes "the suite cannot be sent to a fork: ". */
export class SourceTextError extends TypeError {}

const compiles = (source: string): boolean => {
  try {
    new Script(source);
    return true;
  } catch {
    return false;
  }
};

function functionText(fn: (...args: never[]) => unknown, path: string): string {
  const text = Function.prototype.toString.call(fn);
  if (/^class\b/.test(text)) throw new SourceTextError(`${path} is a class, not a function`);
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    throw new SourceTextError(
      `${path} is built in or bound and has no source text; wrap it in a function that calls it, or give its module and export name`,
    );
  }
  const whole = `(${text}\n)`;
  if (compiles(whole)) return whole;
  // A method in short form has no meaning outside an object.
  if (compiles(`({ ${text} })`)) return `Object.values({ ${text}\n})[0]`;
  throw new SourceTextError(`${path} has source text that does not stand alone: ${text.split('\n')[0]!.slice(0, 60)}`);
}

/**
 * Source text of `value`: functions by their own text, plain objects, arrays and primitives.
 *
 * @param path What `value` is called in messages.
 * @throws SourceTextError for anything else (a class instance, a symbol, a function without text).
 */
export function sourceText(value: unknown, path: string): string {
  switch (typeof value) {
    case 'function':
      return functionText(value as () => unknown, path);
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      break;
    default:
      throw new SourceTextError(`${path} is a ${typeof value}`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map((item, i) => sourceText(item, `${path}[${i}]`)).join(', ')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new SourceTextError(`${path} is not a plain object; create it in setup()`);
  }
  const fields = Object.entries(value).map(
    ([name, item]) => `[${JSON.stringify(name)}]: ${sourceText(item, `${path}.${name}`)}`,
  );
  return `{ ${fields.join(',\n')} }`;
}
