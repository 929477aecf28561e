import {
  type History,
  type IndexEntry,
  judgeSeries,
  keepFolder,
  readIndex,
  rebuildIndex,
  runIds,
  seriesOf,
} from '../../history/index.js';
import { historyLines, historyTable } from '../../report/history.js';
import { UsageError } from '../../runner/usage-error.js';
import { didYouMean } from '../../suite/suggest.js';
import { shareFlag } from '../compare-flags.js';
import { EXIT, type Io } from '../io.js';

interface Flags {
  readonly delta?: string;
  readonly json?: boolean;
  readonly rebuild?: boolean;
  readonly mode?: string;
}

/** Runs with a folder and without a line: still running, killed, or measured while the index was being made anew. */
function unlisted(root: string, known: ReadonlySet<string>): string[] {
  return runIds(root).filter((id) => !known.has(id));
}

function rebuild(root: string, io: Io): void {
  const { runs, trials, left } = rebuildIndex(root);
  io.err(`tscope: index made anew: ${trials} trials of ${runs} runs.\n`);
  for (const message of left) io.err(`tscope: left out: ${message}\n`);
}

/** Why no line of the index fits: nothing there at all, no such benchmark, or not in this mode. */
function nothingFits(root: string, name: string | undefined, mode: string | undefined): UsageError {
  const { entries } = readIndex(root);
  if (entries.length === 0) {
    return new UsageError(
      `history: nothing is kept in ${root} yet; tscope run keeps what it measures, below the folder it runs in.`,
    );
  }
  const named = name === undefined ? entries : entries.filter((entry) => entry.name.includes(name));
  const listed = (of: (entry: IndexEntry) => string, from = entries) =>
    [...new Set(from.map(of))].slice(0, 10).join(', ');
  if (named.length > 0) {
    const what = name === undefined ? 'nothing is kept' : `"${name}" is kept, but not`;
    return new UsageError(`history: ${what} in mode "${mode}"; there is: ${listed((entry) => entry.mode, named)}.`);
  }
  const names = [...new Set(entries.map((entry) => entry.name))];
  return new UsageError(
    `history: no benchmark "${name}" is kept.${didYouMean(name ?? '', names) || ` There are: ${listed((entry) => entry.name)}.`}`,
  );
}

/**
 * `tscope history [benchmark]`: without a name all series in one table, with one each series of it as a plot with its changes.
 *
 * @returns Exit code.
 * @throws UsageError when nothing fits.
 */
export function historyCommand(name: string | undefined, given: unknown, io: Io): number {
  const flags = given as Flags;
  const delta = flags.delta === undefined ? undefined : shareFlag('--delta', flags.delta);
  const root = keepFolder(io.cwd);
  if (flags.rebuild) {
    if (runIds(root).length === 0) throw new UsageError(`history: there are no runs in ${root}.`);
    rebuild(root, io);
  }
  // The name as it stands in JSON, without quotes, so that lines of other benchmarks need not be parsed.
  const needle = name === undefined ? '' : JSON.stringify(name).slice(1, -1);
  const { entries, damaged } = readIndex(root, needle);
  const wanted = entries.filter(
    (entry) =>
      (name === undefined || entry.name.includes(name)) && (flags.mode === undefined || entry.mode === flags.mode),
  );
  if (damaged > 0) {
    io.err(
      `tscope: ${damaged} ${damaged === 1 ? 'line' : 'lines'} of the index cannot be read and ${damaged === 1 ? 'was' : 'were'} left out; make it anew with: tscope history --rebuild\n`,
    );
  }
  if (wanted.length === 0) throw nothingFits(root, name, flags.mode);
  const histories: History[] = seriesOf(wanted).map((series) => judgeSeries(series, delta));
  if (flags.json) {
    io.out(`${JSON.stringify({ format: 'tscope-history', version: '1.0', series: histories }, null, 1)}\n`);
    return EXIT.ok;
  }
  const lines =
    name === undefined
      ? historyTable(histories)
      : histories.flatMap((history, i) => [...(i > 0 ? ['', ''] : []), ...historyLines(history, io.columns)]);
  io.out(`${lines.join('\n')}\n`);
  if (name === undefined && !flags.rebuild) {
    const missing = unlisted(root, new Set(entries.map((entry) => entry.run)));
    if (missing.length > 0)
      io.err(
        `tscope: ${missing.length} of the runs kept are not in the index (unfinished ones never are); see: tscope history --rebuild\n`,
      );
  }
  return EXIT.ok;
}
