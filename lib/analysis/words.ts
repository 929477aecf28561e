/** A share as a percentage with two significant digits: `3.4 %`, `27 %`. */
export function percent(share: number): string {
  const value = share * 100;
  return `${Math.abs(value) >= 9.95 ? value.toFixed(0) : Number(value.toPrecision(2))} %`;
}

/** A time with three significant digits and a fitting unit: `1.25 ns`, `340 us`, `1.2 s`. */
export function duration(ns: number): string {
  const [divisor, unit] =
    Math.abs(ns) < 1e3 ? [1, 'ns'] : Math.abs(ns) < 1e6 ? [1e3, 'us'] : Math.abs(ns) < 1e9 ? [1e6, 'ms'] : [1e9, 's'];
  return `${Number((ns / Number(divisor)).toPrecision(3))} ${unit}`;
}

/** `1 fork`, `3 forks`. */
export const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`;

/** `3 of 10 forks`. */
export const share = (n: number, of: number, one: string): string => `${n} of ${count(of, one)}`;
