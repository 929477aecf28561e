/** Readers of formats that are not ours: each takes a file apart the way its consumers do. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';

/** One line of Go benchmark text. */
export interface GoLine {
  /** Name after `Benchmark`, without the number of threads. */
  readonly name: string;
  readonly procs: number;
  readonly iterations: number;
  readonly values: readonly (readonly [value: number, unit: string])[];
}

/** What github-action-benchmark accepts as a name. */
const ACTION_NAME = /^Benchmark\w+[\w()$%^&*-=|,[\]{}"#]*$/;

/**
 * Go's benchmark format as benchstat reads it: file-level `key: value`, `Unit` lines, `Benchmark` lines of a name, a count and at
 * least one pair of value and unit, fields separated by blanks. Throws for a line that begins like one of these and is none.
 */
export function readGoBenchmarks(text: string): {
  config: Map<string, string>;
  units: string[];
  lines: GoLine[];
  fails: string[];
} {
  // prettier-ignore
  const config = new Map<string, string>();
  const units: string[] = [];
  const lines: GoLine[] = [];
  const fails: string[] = [];
  for (const line of text.split('\n')) {
    const pair = /^([a-z][^\s:A-Z]*):\s*(.*)$/.exec(line);
    if (pair) config.set(pair[1]!, pair[2]!);
    else if (line.startsWith('Unit ')) {
      if (!/^Unit \S+( \S+=\S+)+$/.test(line)) throw new Error(`bad unit line: ${line}`);
      units.push(line);
    } else if (line.startsWith('Benchmark')) {
      const fields = line.split(/\s+/);
      const [name, count, ...rest] = fields as [string, string, ...string[]];
      if (fields.length < 4 || fields.length % 2 !== 0) throw new Error(`odd fields: ${line}`);
      if (/^Benchmark[\p{Ll}]/u.test(name)) throw new Error(`a small letter after Benchmark: ${line}`);
      if (!ACTION_NAME.test(name)) throw new Error(`a name that github-action-benchmark refuses: ${line}`);
      if (!/^\d+$/.test(count)) throw new Error(`no count: ${line}`);
      const procs = /-(\d+)$/.exec(name);
      const values = rest.flatMap((value, i) => (i % 2 === 0 ? [[Number(value), rest[i + 1]!] as const] : []));
      if (values.some(([value]) => !Number.isFinite(value))) throw new Error(`not a number: ${line}`);
      const bare = name.slice('Benchmark'.length, procs ? -procs[0].length : undefined);
      lines.push({ name: bare, procs: Number(procs?.[1] ?? 1), iterations: Number(count), values });
    } else if (line.startsWith('--- FAIL: ')) fails.push(line.slice('--- FAIL: '.length));
    else if (line !== '') throw new Error(`neither: ${line}`);
  }
  return { config, units, lines, fails };
}

/** Parts of a name, decoded. */
export const goParts = (name: string): string[] => name.replace(/^_/, '').split('/').map(decodeURIComponent);

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (html: string): string =>
  html
    .replace(/<br ?\/?>/g, '\n')
    .replace(/<\/?code>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
      code === undefined ? NAMED[name]! : String.fromCodePoint(Number(code)),
    );

/** Tables of a Markdown page as GitHub's parser sees them: rows of cells; and the page as HTML. */
export function readMarkdown(text: string): { html: string; tables: string[][][] } {
  const html = micromark(text, {
    extensions: [gfmTable()],
    htmlExtensions: [gfmTableHtml()],
    allowDangerousHtml: true,
  });
  const tables = [...html.matchAll(/<table>(.*?)<\/table>/gs)].map(([, table]) =>
    [...table!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
      [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => decoded(cell!)),
    ),
  );
  return { html, tables };
}

/** Attributes of an element, its children by name. */
export type Xml = Readonly<Record<string, unknown>>;

/** XML, validated; every element is a list. Throws when it is not well-formed. */
export function readXml(text: string): Xml {
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new Error(valid.err.msg);
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
    isArray: (_name, _path, _leaf, attribute) => !attribute,
  }).parse(text) as Xml;
}

const TEAMCITY: Readonly<Record<string, string>> = { n: '\n', r: '\r', '|': '|', "'": "'", '[': '[', ']': ']' };

/** Service messages: name and attributes, unescaped. Throws for a line that is none. */
export function readTeamCity(text: string): { name: string; attributes: Record<string, string> }[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const match = /^##teamcity\[(\w+)((?: \w+='(?:[^|'[\]]|\|(?:[nr|'[\]]|0x[0-9A-F]{4}))*')+)\]$/.exec(line);
      if (!match) throw new Error(`not a service message: ${line}`);
      const attributes = [...match[2]!.matchAll(/ (\w+)='((?:[^|']|\|0x....|\|.)*)'/g)].map(([, key, value]) => [
        key!,
        value!.replace(/\|(?:0x(....)|(.))/g, (_, code: string | undefined, mark: string) =>
          code === undefined ? TEAMCITY[mark]! : String.fromCharCode(Number.parseInt(code, 16)),
        ),
      ]);
      return { name: match[1]!, attributes: Object.fromEntries(attributes) as Record<string, string> };
    });
}

const LATEX: Readonly<Record<string, string>> = {
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textquotedbl: '"',
  textquotesingle: "'",
  textasciigrave: '`',
  newline: '\n',
}; // prettier-ignore

/** Cells of the tabular as LaTeX would set them. Throws for a command or a special character that is not expected. */
export function readLatex(text: string): string[][] {
  const body = /\\begin\{tabular\}\{[lr]+\}\n(.*)\\end\{tabular\}\n$/s.exec(text)![1]!;
  const token = /\\(text\w+|newline|hspace)(\{[^}]*\})|\\([{}&%$#_ ])|\{([-,])\}|\$\\pm\$|([\\{}&%$#_~^])|([\s\S])/g;
  return body
    .split('\n')
    .filter((line) => line !== '' && line !== '  \\hline')
    .map((line) => {
      if (!line.endsWith(' \\\\')) throw new Error(`a row that does not end: ${line}`);
      const cells = [''];
      for (const match of line.slice(2, -3).matchAll(token)) {
        const [whole, command, , escaped, grouped, special, plain] = match;
        if (special === '&') cells.push('');
        else if (special !== undefined) throw new Error(`unescaped ${special}: ${line}`);
        else
          cells[cells.length - 1] +=
            whole === '$\\pm$'
              ? '±'
              : command === 'hspace'
                ? '\t'
                : command
                  ? LATEX[command]!
                  : (escaped ?? grouped ?? plain!);
      }
      // A cell is set off by one blank on each side.
      return cells.map((cell, i) => cell.slice(i === 0 ? 0 : 1, i === cells.length - 1 ? undefined : -1));
    });
}
