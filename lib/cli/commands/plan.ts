import { recommend } from '../../analysis/adaptive/calibration.js';
import { DEFAULT_CONFIDENCE } from '../../analysis/score.js';
import { calibrations } from '../../api/calibrate.js';
import { prepare } from '../../api/prepare.js';
import { planLegend, planTable } from '../../report/plan.js';
import { headText } from '../../report/run.js';
import { failureLines } from '../../report/text.js';
import { loadConfig } from '../../runner/config.js';
import type { TrialPlan } from '../../runner/types.js';
import { shareFlag } from '../compare-flags.js';
import { EXIT, type Io } from '../io.js';
import { type RunFlags, runRequest } from '../run/request.js';
import { watcher } from '../run/watcher.js';

interface Flags extends RunFlags {
  readonly precision?: string;
  readonly confidence?: string;
  readonly again?: boolean;
  readonly json?: boolean;
  readonly config?: string | boolean;
}

/** Iterations per fork of a calibration, unless asked otherwise: more than a run has, since what varies inside a fork is asked for. */
const ITERATIONS = 10;

function size(trial: TrialPlan): { forks: number; iterations: number } {
  const chosen = trial.options.iterations?.source !== 'default' || trial.mode === 'ss';
  return { forks: trial.forks, iterations: chosen ? trial.fork.iterations : ITERATIONS };
}

/**
 * `tscope plan`: a calibration experiment, or the one that is kept, and the cheapest forks x iterations for a width.
 *
 * @returns Exit code.
 * @throws UsageError for every mistake found before measuring.
 */
export async function planCommand(
  inputs: readonly string[],
  given: unknown,
  argv: readonly string[],
  io: Io,
): Promise<number> {
  const flags = given as Flags;
  const halfWidth = flags.precision === undefined ? 0.01 : shareFlag('--precision', flags.precision);
  const confidence = flags.confidence === undefined ? DEFAULT_CONFIDENCE : shareFlag('--confidence', flags.confidence);
  const config = await loadConfig(io.cwd, flags.config);
  // The precision of a plan is what it plans for, not a rule to measure by; nor is there a budget.
  const asked = await prepare(runRequest(inputs, { ...flags, precision: undefined }, config, io));
  const { keepEnv } = asked.wholeRun.options;
  const wholeRun = { options: keepEnv ? { keepEnv } : {}, sources: asked.wholeRun.sources };
  const prepared = { ...asked, wholeRun };
  const watch = watcher(io, 'NORMAL');
  const say = (text: string) => {
    if (!flags.json) io.out(text);
  };
  const settings = { cwd: io.cwd, order: 'random', failFast: false, command: argv, source: 'command line' } as const;
  const set = await calibrations(
    prepared,
    settings,
    { size, reuse: flags.again !== true, onExperiment: (head) => say(headText(head)) },
    {
      onEvent: watch.onEvent,
      signal: io.signal,
      complete: () => ({ allow: new Set(config.allow ?? []), flags: new Set() }),
    },
  ).finally(() => watch.end());
  if (set.measured?.status === 'interrupted') {
    io.err('tscope: interrupted; a calibration needs all of its forks.\n');
    return io.signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  }
  if (set.unkept !== null)
    io.err(`tscope: the calibration could not be kept (${set.unkept}); it will be measured again next time.\n`);
  const rows = set.calibrations.map((calibration) => ({
    calibration,
    recommendation: recommend(calibration, halfWidth, confidence),
  }));
  if (flags.json) {
    const trials = rows.map(({ calibration, recommendation }, i) => ({
      at: set.at[i],
      ...calibration,
      recommendation,
    }));
    io.out(
      `${JSON.stringify({ format: 'tscope-plan-report', version: '1.0', halfWidth, confidence, trials }, null, 1)}\n`,
    );
  } else {
    const oldest = [...set.at].sort()[0];
    const source =
      set.measured === null
        ? `From the calibration of ${oldest}; nothing it depends on has changed since (--again measures anew).`
        : 'Kept for this host, Node, file and options; tscope run --budget uses it.';
    say(`${[...planTable(rows), '', ...planLegend(halfWidth, confidence), source].join('\n')}\n`);
    const failures = failureLines(set.measured?.trials ?? []);
    if (failures.length > 0) say(`\n${failures.join('\n')}\n`);
  }
  return set.measured?.trials.some((trial) => trial.failure !== null) ? EXIT.failed : EXIT.ok;
}
