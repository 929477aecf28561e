/** Values in messages. */

/** A value as a message shows it: short, on one line. Any value: what a user writes by mistake need not be JSON. */
export function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  let text: string | undefined;
  try {
    text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  } catch {
    // Cyclic: its type says enough.
  }
  text ??= typeof value;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
