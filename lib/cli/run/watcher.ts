import { paramSuffix } from '../../report/params.js';
import type { RunEvent, TrialPlan } from '../../runner/types.js';
import type { Io } from '../io.js';
import { progressLine, progressText } from './progress.js';

export const VERBOSITIES = ['SILENT', 'NORMAL', 'EXTRA'] as const;

const describeTrial = (trial: TrialPlan): string => `${trial.suite}.${trial.benchmark}${paramSuffix(trial.params)}`;

/** Shows progress between forks; with EXTRA also the command of every fork and what it printed, as JMH does. */
export function watcher(
  io: Io,
  verbosity: (typeof VERBOSITIES)[number],
): { onEvent(event: RunEvent): void; end(): void } {
  const line = progressLine(io, () => performance.now());
  let at = { done: 0, total: 0, etaMs: null as number | null };
  const extra = (text: string) => {
    if (verbosity === 'EXTRA' && text !== '') io.err(text.endsWith('\n') ? text : `${text}\n`);
  };
  return {
    onEvent(event) {
      if (verbosity === 'SILENT') return;
      if (event.type === 'progress') at = event;
      if (event.type === 'fork-started') {
        extra(
          `tscope: fork: ${event.command.map((word) => (/[^\w./=:@%+,-]/.test(word) ? JSON.stringify(word) : word)).join(' ')}`,
        );
        line.show(progressText({ ...at, trial: describeTrial(event.trial) }));
      }
      if (event.type === 'fork-finished') {
        extra(event.fork.output.stdout);
        extra(event.fork.output.stderr);
        if (event.fork.failure) {
          line.clear();
          io.err(
            `tscope: ${describeTrial(event.trial)}, fork ${event.fork.index + 1}: ${event.fork.failure.message}\n`,
          );
        }
      }
      if (event.type === 'warning' && event.finding.severity === 'error') {
        line.clear();
        io.err(`tscope: ${event.finding.message}\n`);
      }
    },
    end: () => line.clear(),
  };
}
