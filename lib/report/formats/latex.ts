import { cellsOf } from './cells.js';
import { printable } from './escape.js';
import type { Reporter } from './reporter.js';

const MARKS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '|': '\\textbar{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '"': '\\textquotedbl{}',
  "'": '\\textquotesingle{}',
  '`': '\\textasciigrave{}',
  '-': '{-}',
  ',': '{,}',
  '±': '$\\pm$',
};

/** Text as LaTeX sets it, letter for letter: no ligatures, no commands; line ends become blanks in between. */
const latexText = (text: string): string =>
  printable(text)
    .replace(/[\\{}&%$#_~^|<>"'`,±-]/g, (mark) => MARKS[mark]!)
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '\\newline{}')
    .replace(/\t/g, '\\hspace{1em}')
    .replace(/^ +| +$| (?= )/g, (blanks) => '\\ '.repeat(blanks.length));

/** A comment line cannot hold a line end. */
const comment = (text: string): string => `% ${printable(text).replace(/[\n\r\u2028\u2029]/g, ' ')}`;

/** One tabular, with the unit in the title when all rows share it. Needs T1 or Unicode fonts for letters beyond ASCII. */
export const latex: Reporter = {
  id: 'latex',
  extension: 'tex',
  about: 'LaTeX, one tabular',
  defaultTarget: 'jmh-result.latex',
  format({ trials, environment, tool }) {
    const { titles, rows, numbers, notes } = cellsOf(trials);
    const units = new Set(rows.map(({ row }) => row.unit).filter((unit) => unit !== ''));
    const [shared] = units.size === 1 ? units : [];
    const shown = <T>(cells: readonly T[]) => (shared === undefined ? cells : cells.slice(0, -1));
    const title = (text: string) => latexText(text === 'Score' && shared !== undefined ? `Score (${shared})` : text);
    const columns = shown(titles).map((_, i) => (i < numbers || i === titles.length - 1 ? 'l' : 'r'));
    const line = (cells: readonly string[]) => `  ${cells.join(' & ')} \\\\`;
    return `${[
      comment(`tscope ${tool.version}, Node ${environment.node} (V8 ${environment.v8}), ${environment.cpuModel}`),
      ...notes.map(comment),
      `\\begin{tabular}{${columns.join('')}}`,
      line(shown(titles).map(title)),
      '  \\hline',
      ...rows.map(({ cells }) => line(shown(cells).map(latexText))),
      '\\end{tabular}',
    ].join('\n')}\n`;
  },
};
