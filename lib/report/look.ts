import { styleText } from 'node:util';
import stringWidth from 'string-width';

/** What a report is shown on. */
export interface Look {
  /** A terminal: tables may carry shapes, long lines are wrapped. Otherwise text is plain, one fact a line, for files and pipes. */
  readonly terminal: boolean;
  /** Cells in a line. */
  readonly width: number;
  readonly color: boolean;
}

/** A file or a pipe. */
export const PLAIN: Look = { terminal: false, width: Number.POSITIVE_INFINITY, color: false };

export type Paint = (format: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', text: string) => string;

// Whether to colour is decided by Look; newer Nodes would ask stdout again, whatever the text is for.
const style = styleText as (format: string, text: string, options: { validateStream: boolean }) => string;

/** Colours text, or leaves it as it is. */
export const painter =
  ({ color }: Look): Paint =>
  (format, text) =>
    color ? style(format, text, { validateStream: false }) : text;

/** Text in lines of at most `width` cells, broken at blanks; all but the first are indented. A word that is longer stays whole. */
export function wrapped(text: string, width: number, indent = 0): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line.trim() === '' || stringWidth(longer) <= width) line = line.trim() === '' ? line + word : longer;
    else {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    }
  }
  return [...lines, line];
}
