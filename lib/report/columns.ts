import stringWidth from 'string-width';

/** Plain-text columns: what every table here is made of. Reporters only format; numbers come ready. */

export interface Column {
  readonly title: string;
  /** `decimal`: numbers have their points below each other. */
  readonly align: 'left' | 'right' | 'decimal';
  readonly cells: readonly string[];
  /** Text between this column and the one before; default two spaces. */
  readonly gap?: string;
  /** Colours a cell after it was placed; widths are those of the plain text. */
  readonly paint?: (cell: string, row: number) => string;
}

/** One line of text without control characters, so that a name cannot break a table. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');

const blanks = (n: number) => ' '.repeat(Math.max(0, n));

/** Numbers with blanks behind them, so that their points are equally far from the end; other texts stay. */
function pointed(cells: readonly string[]): string[] {
  const tail = (cell: string) => (/^-?\d+(\.\S+)?$/.test(cell) ? (cell.split('.')[1]?.length ?? -1) : null);
  const longest = Math.max(-1, ...cells.map((cell) => tail(cell) ?? -1));
  return cells.map((cell) => cell + blanks(longest - (tail(cell) ?? longest)));
}

/** Lines of a table: the titles, then one line a row. No trailing blanks. */
export function layout(columns: readonly Column[]): string[] {
  const placed = columns.map((column) => {
    const plain = column.cells.map(oneLine);
    const cells = column.align === 'decimal' ? pointed(plain) : plain;
    const width = Math.max(stringWidth(column.title), ...cells.map((cell) => stringWidth(cell)));
    const place = (text: string, shown = text) => {
      const room = blanks(width - stringWidth(text));
      return column.align === 'left' ? shown + room : room + shown;
    };
    return { column, cells, place };
  });
  const line = (pick: (of: (typeof placed)[number]) => string) =>
    placed
      .map((of, i) => (i === 0 ? '' : (of.column.gap ?? '  ')) + pick(of))
      .join('')
      .trimEnd();
  const rows = Math.max(0, ...columns.map((c) => c.cells.length));
  return [
    line(({ column, place }) => place(column.title)),
    ...Array.from({ length: rows }, (_, row) =>
      line(({ column, cells, place }) => {
        const cell = cells[row] ?? '';
        return place(cell, cell === '' ? cell : (column.paint?.(cell, row) ?? cell));
      }),
    ),
  ];
}
