/** Factors to milliseconds; `min` and `hr`, `day` are JMH's spellings. */
const MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['ms', 1],
  ['s', 1e3],
  ['m', 6e4],
  ['min', 6e4],
  ['h', 3.6e6],
  ['hr', 3.6e6],
  ['day', 8.64e7],
]);

/**
 * Reads a duration as milliseconds.
 *
 * @param value A number, or text such as `200ms`, `1.5 s`, `2m`.
 * @param bare Unit of a number without one: `ms` in code, `s` on the command line (JMH).
 * @returns Milliseconds, finite and positive (zero included), or null when it cannot be read.
 */
export function parseDuration(value: unknown, bare: 'ms' | 's' = 'ms'): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value * MS.get(bare)! : null;
  if (typeof value !== 'string') return null;
  const match = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*$/.exec(value);
  if (!match) return null;
  const factor = MS.get(match[2] || bare);
  return factor === undefined ? null : Number(match[1]) * factor;
}

/** How a duration may be written, for messages. */
export const DURATION_HINT = 'write a number with a unit: 200ms, 1.5s, 2m';

/** Milliseconds as people write them: `200 ms`, `1.5 s`, `2 min`. */
export function formatDuration(ms: number): string {
  const [value, unit] =
    ms >= 60_000
      ? [ms / 60_000, 'min']
      : ms >= 1000
        ? [ms / 1000, 's']
        : ms >= 1 || ms === 0
          ? [ms, 'ms']
          : [ms * 1000, 'us'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}
