import { printable } from './escape.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

/** Text of an attribute or an element; line ends as references, which an attribute would turn into blanks. */
export const xml = (text: string): string => printable(text).replace(/[&<>"'\n\r\t]/g, (c) => ENTITIES[c]!);

/** Attributes with a blank before each. */
export const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('');
