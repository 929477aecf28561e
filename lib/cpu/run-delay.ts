/** How long a thread was ready to run and was not let run: the kernel's own account of it. */
const { openSync, readSync } = process.getBuiltinModule('node:fs');

/**
 * Opens the account of the calling thread: a function that returns the ns it has waited for a CPU since it started (Linux,
 * `schedstat`, second number), at about 2 us a call. Null where the kernel keeps none, or may not be asked. The file stays open as long
 * as the process.
 */
export function openRunDelay(): (() => number) | null {
  const buffer = Buffer.alloc(80);
  try {
    const fd = openSync('/proc/thread-self/schedstat', 'r');
    const read = () => secondNumber(buffer, readSync(fd, buffer, 0, buffer.length, 0));
    return Number.isNaN(read()) ? null : read;
  } catch {
    return null;
  }
}

/** The second number of `length` bytes of text; NaN when there is none. No string is made, so that nothing is left for the collector. */
export function secondNumber(text: Uint8Array, length: number): number {
  let at = text.indexOf(0x20) + 1;
  if (at === 0 || at >= length) return Number.NaN;
  let value = Number.NaN;
  for (; at < length; at++) {
    const digit = text[at]! - 0x30;
    if (digit < 0 || digit > 9) break;
    value = (Number.isNaN(value) ? 0 : value) * 10 + digit;
  }
  return value;
}
