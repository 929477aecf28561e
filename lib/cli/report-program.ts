import type { Command } from 'commander';
import { REPORTERS } from '../report/formats/index.js';
import { collect } from './flag-values.js';
import type { Io } from './io.js';

export const RESULT_FORMAT_HELP = `write ${REPORTERS.map(({ id }) => id).join(', ')}; to a file, or - for standard output; repeatable`;

/** `tscope report`: formats of a result that exists. */
export function addReportCommand(program: Command, io: Io, finish: (code: number) => void): void {
  program
    .command('report')
    .description('Write a result file in other formats; without -rf print the report.')
    .argument('<result>', 'result file of tscope')
    .option('--result-format <format[=file]>', RESULT_FORMAT_HELP, collect, [])
    .option('--result-file <file>', 'file of the one -rf without a file')
    .action(async (path: string, flags) =>
      finish((await import('./commands/report.js')).reportCommand(path, flags, io)),
    );
}
