/** ns as us with JLBH's digits: three below 2.56, two below 25.6, one below 256, none above. `-` for a value the count does not allow. */
export function us(ns: number | null): string {
  if (ns === null) return '-';
  const value = ns / 1000;
  return value.toFixed(value < 2.56 ? 3 : value < 25.6 ? 2 : value < 256 ? 1 : 0);
}

export const count = (n: number): string => n.toLocaleString('en-US');

/** At most six significant digits, no exponent: 20,000 or 333.333. */
export const number = (n: number): string => n.toLocaleString('en-US', { maximumSignificantDigits: 6 });

export const seconds = (ns: number): string =>
  ns < 1e9 ? `${(ns / 1e6).toFixed(3)} ms` : `${(ns / 1e9).toFixed(3)} s`;

/** A title filled up with dashes to 100 columns, as JLBH prints it. */
export function ruled(title: string): string {
  const text = `${'-'.repeat(24)} ${title} `;
  return text.padEnd(100, '-');
}
