import stringWidth from 'string-width';

/** Plain-text columns: what every table here is made of. Reporters only format; numbers come ready. */

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cells: readonly string[];
  /** Text between this column and the one before; default two spaces. */
  readonly gap?: string;
}

const pad = (text: string, cells: number, align: Column['align']) => {
  const blank = ' '.repeat(Math.max(0, cells - stringWidth(text)));
  return align === 'right' ? blank + text : text + blank;
};

/** Lines of a table: the titles, then one line a row. No trailing blanks. */
export function layout(columns: readonly Column[]): string[] {
  const widths = columns.map((c) => Math.max(stringWidth(c.title), ...c.cells.map((cell) => stringWidth(cell))));
  const line = (pick: (column: Column) => string) =>
    columns
      .map((column, i) => (i === 0 ? '' : (column.gap ?? '  ')) + pad(pick(column), widths[i]!, column.align))
      .join('')
      .trimEnd();
  const rows = Math.max(0, ...columns.map((c) => c.cells.length));
  return [line((c) => c.title), ...Array.from({ length: rows }, (_, row) => line((c) => c.cells[row] ?? ''))];
}

/** One line of text without control characters, so that a name cannot break a table. */
export const oneLine = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
