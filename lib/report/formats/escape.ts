/** Characters that a format has no way to write are shown as `\u0001`. */
export const visible = (code: string): string => `\\u${code.charCodeAt(0).toString(16).padStart(4, '0')}`;

const UNWRITABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text without what neither XML nor Markdown can carry: control characters and halves of a pair. Line ends and tabs stay. */
export const printable = (text: string): string => text.replace(UNWRITABLE, visible);

/** A number in decimal, never with an exponent, in full precision: some readers know only digits and a point. */
export function decimal(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, whole, part = '', power] = match as unknown as [string, string, string, string | undefined, string];
  const digits = whole + part;
  const point = whole.length + Number(power);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0').slice(0, point)}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}
