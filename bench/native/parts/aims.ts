/** A measured value, its aim and the unit of both; `atLeast` where more is better. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly aim: number;
  readonly unit?: string;
  readonly atLeast?: boolean;
  /** The same seen otherwise, printed behind. */
  readonly note?: string;
}

/** One line for each aim: met or MISSED. Nothing is asserted, since machines differ. */
export function printAims(aims: readonly Aim[]): void {
  for (const { what, value, aim, unit = '', atLeast = false, note } of aims) {
    const met = atLeast ? value >= aim : value <= aim;
    const limit = `${atLeast ? 'at least' : 'at most'} ${aim}${unit && ` ${unit}`}`;
    console.log(
      `aim: ${what} ${value.toFixed(2)}${unit && ` ${unit}`}, ${limit}: ${met ? 'met' : 'MISSED'}${note ? ` (${note})` : ''}`,
    );
  }
}
