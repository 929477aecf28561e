import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { RunResult } from '#lib/result/model.js';
import { importedFiles } from '#lib/runner/imports.js';
import { type RunPlan, resumeRun, startRun } from '#lib/runner/index.js';
import type { JournalFs } from '#lib/runner/journal.js';
import { hashSources, watchSources } from '#lib/runner/sources.js';
import { fixture, logFile, realDeps, root, runPlanOf, tempDir, trialPlan } from './plans.js';

const lines = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

/** What must not depend on how often the run was interrupted. */
const essence = (result: RunResult) =>
  result.trials.map(({ id, status, forks }) => ({
    id,
    status,
    forks: forks.map(({ index, round, position, iterations, output }) => ({
      index,
      round,
      position,
      iterations,
      output,
    })),
  }));

function host(how: 'start' | 'resume', plan: RunPlan) {
  const file = join(plan.runDir, '..', '..', 'plan-for-host.json');
  writeFileSync(file, JSON.stringify(plan));
  return spawn(process.execPath, [fixture('host.mjs'), how, file, fixture('fork.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1200 && !condition(); i++) await sleep(25);
}

const processExists = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a host killed with SIGKILL in the middle is resumed to the full result, no finished fork is repeated', async (t) => {
  const log = logFile(t);
  const trials = ['a', 'b'].map((name) => trialPlan(name, { log, ms: 60 }, { forks: 3 }));
  const plan = runPlanOf(t, trials);
  const journal = join(plan.runDir, 'journal.jsonl');
  const ends = () =>
    existsSync(journal) ? lines(journal).filter((line) => line.startsWith('{"type":"end"')).length : 0;

  const first = host('start', plan);
  // In the middle of the fourth fork: three are finished, its first iteration has arrived.
  await until(() => ends() === 3 && lines(journal).at(-1)!.includes('"iteration"'));
  const starts = lines(log).length;
  first.kill('SIGKILL');
  await once(first, 'exit');
  t.is(ends(), 3);

  const second = host('resume', plan);
  let out = '';
  second.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await once(second, 'close');
  const result = JSON.parse(out) as RunResult;
  t.is(result.status, 'complete');
  t.deepEqual(
    result.trials.map(({ status, forks }) => [status, forks.length]),
    [
      ['ok', 3],
      ['ok', 3],
    ],
  );
  // Six forks and the one in flight at the kill; nothing that was finished ran again.
  t.is(starts, 4);
  t.is(lines(log).length, 7);
  t.true(result.findings.some(({ id }) => id === 'resumed'));

  const whole = await startRun({ ...plan, runDir: join(tempDir(t), 'whole') }, realDeps());
  t.deepEqual(essence(result), essence(whole));
});

test('a fork that outlived its killed host is killed before the run goes on', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log, end: 'stubborn', at: 'iteration' }, { forks: 1 })]);
  const journal = join(plan.runDir, 'journal.jsonl');
  const first = host('start', plan);
  await until(() => existsSync(journal) && lines(journal).some((line) => line.includes('"type":"iteration"')));
  const { pid } = JSON.parse(lines(journal).find((line) => line.startsWith('{"type":"start"'))!) as { pid: number };
  first.kill('SIGKILL');
  await once(first, 'exit');
  if (!processExists(pid)) {
    t.pass('the fork ended with its host');
    return;
  }
  if (process.platform !== 'linux') {
    process.kill(pid, 'SIGKILL');
    t.pass('cannot be told apart here');
    return;
  }
  const second = host('resume', plan);
  await until(() => !processExists(pid));
  t.false(processExists(pid));
  second.kill('SIGTERM');
  process.kill(-JSON.parse(lines(journal).findLast((line) => line.startsWith('{"type":"start"'))!).pid, 'SIGKILL');
  await once(second, 'exit');
});

test('a stopped run keeps what is done, loses the fork in flight, and goes on', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log, ms: 30 }, { forks: 4 })]);
  const abort = new AbortController();
  const deps = realDeps({
    signal: abort.signal,
    onEvent: (event) => {
      if (event.type === 'fork-started' && event.fork === 2) setTimeout(() => abort.abort(), 100);
    },
  });
  const stopped = await startRun(plan, deps);
  t.is(stopped.status, 'interrupted');
  t.is(stopped.finishedAt, null);
  t.is(stopped.trials[0]!.status, 'partial');
  t.is(stopped.trials[0]!.failure, null);
  t.deepEqual(
    stopped.trials[0]!.forks.map(({ index }) => index),
    [0, 1],
  );
  const whole = await resumeRun(plan.runDir, realDeps());
  t.is(whole.status, 'complete');
  t.is(whole.trials[0]!.forks.length, 4);
  t.deepEqual(
    essence({ ...whole, trials: [{ ...whole.trials[0]!, forks: whole.trials[0]!.forks.slice(0, 2) }] })[0]!.forks,
    essence(stopped)[0]!.forks,
  );
  t.is(whole.createdAt, stopped.createdAt);
});

test('resuming a complete run runs nothing and gives the same', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log }), trialPlan('b', { log, end: 'failed', at: 'setup' })]);
  const first = await startRun(plan, realDeps());
  const ran = lines(log).length;
  const again = await resumeRun(plan.runDir, realDeps());
  t.is(lines(log).length, ran);
  t.deepEqual(again.trials, first.trials);
});

test('a torn last line is repeated, a damaged line inside is an error that names it', async (t) => {
  const log = logFile(t);
  const plan = runPlanOf(t, [trialPlan('a', { log })]);
  await startRun(plan, realDeps());
  const journal = join(plan.runDir, 'journal.jsonl');
  const text = readFileSync(journal, 'utf8');
  writeFileSync(journal, text.slice(0, -10));
  const resumed = await resumeRun(plan.runDir, realDeps());
  t.is(resumed.trials[0]!.status, 'ok');
  t.is(lines(log).length, 3);
  // What was appended after the cut is whole.
  for (const line of lines(journal)) t.notThrows(() => JSON.parse(line));

  writeFileSync(journal, readFileSync(journal, 'utf8').replace('{"type":"message"', '{"type:"message"'));
  await t.throwsAsync(resumeRun(plan.runDir, realDeps()), {
    name: 'RunDirError',
    message: /journal\.jsonl:2 is damaged/,
  });
});

test('a folder without a run, and one of another version, are refused with a sentence', async (t) => {
  const folder = tempDir(t);
  await t.throwsAsync(resumeRun(folder, realDeps()), { name: 'RunDirError', message: /holds no run/ });
  writeFileSync(join(folder, 'plan.json'), '{"format":"tscope-plan","version":99}');
  await t.throwsAsync(resumeRun(folder, realDeps()), { name: 'RunDirError', message: /version 99/ });
  writeFileSync(join(folder, 'plan.json'), '{"form');
  await t.throwsAsync(resumeRun(folder, realDeps()), { name: 'RunDirError', message: /cannot be read/ });
});

test('two hosts cannot work on one run', async (t) => {
  const plan = runPlanOf(t, [trialPlan('a', { ms: 200 }, { forks: 1 })]);
  const running = startRun(plan, realDeps());
  await t.throwsAsync(resumeRun(plan.runDir, realDeps()), { name: 'RunDirError', message: /in use by process/ });
  await running;
  t.false(existsSync(join(plan.runDir, 'lock')));
});

test('a file edited during the run fails the forks that would measure something else', async (t) => {
  const file = join(tempDir(t), 'a.mjs');
  writeFileSync(file, 'export default 1;\n');
  const plan = runPlanOf(t, [trialPlan('a', {}, { file, forks: 3 })]);
  const deps = realDeps({
    onEvent: (event) => {
      if (event.type === 'fork-finished' && event.fork.index === 0) appendFileSync(file, '// edited\n');
    },
  });
  const [trial] = (await startRun(plan, deps)).trials;
  t.is(trial!.status, 'partial');
  t.deepEqual(
    trial!.forks.map(({ status }) => status),
    ['ok', 'failed', 'failed'],
  );
  t.regex(trial!.failure!.message, /edited after the run began/);
});

test('a file that the benchmark imports through another is watched like the benchmark itself, also on resume', async (t) => {
  const folder = tempDir(t);
  const at = (name: string) => join(folder, name);
  writeFileSync(at('a.bench.ts'), "import { b } from './b.js';\nexport default b;\n");
  writeFileSync(at('b.ts'), "export * from './data/c.mjs';\n");
  mkdirSync(at('data'));
  writeFileSync(at('data/c.mjs'), "export const b = await import('../d.json', { with: { type: 'json' } });\n");
  writeFileSync(at('d.json'), '{}');
  const file = at('a.bench.ts');
  t.deepEqual(
    importedFiles(file).sort(),
    [at('b.ts'), at('d.json'), at('data/c.mjs')].map((f) => realpathSync(f)).sort(),
  );

  const hashes = hashSources([file]);
  const sources = watchSources(hashes);
  t.is(sources.changed(file), null);
  // Written again as it was: other times, the same content.
  writeFileSync(at('d.json'), '{}');
  t.is(sources.changed(file), null);
  writeFileSync(at('d.json'), '{"n":1}');
  t.regex(sources.changed(file)!, /d\.json, which the file imports, was edited after the run began.*start a new run/);
  t.regex(watchSources(hashes).changed(file)!, /d\.json, which the file imports, was edited/);
  writeFileSync(at('d.json'), '{}');
  rmSync(at('data/c.mjs'));
  t.regex(sources.changed(file)!, /c\.mjs, which the file imports, cannot be read any more/);
});

test('installed packages, this package and what Node brings are not watched; a linked workspace package is', (t) => {
  const folder = tempDir(t);
  const at = (name: string) => join(folder, name);
  for (const name of ['node_modules/dep', 'work/lib']) {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(`${name}/index.js`), '');
  }
  symlinkSync(at('work/lib'), at('node_modules/linked'));
  writeFileSync(
    at('a.mjs'),
    "import 'node:fs'; import fs from 'fs'; import 'dep'; import 'linked'; import './gone.js'; import 'nowhere';\n",
  );
  t.deepEqual(importedFiles(at('a.mjs')), [realpathSync(at('work/lib/index.js'))]);
  t.deepEqual(importedFiles(join(root, 'examples/hash.bench.ts')), []);
});

test('a folder that cannot be written stops the run before anything is measured', async (t) => {
  const log = logFile(t);
  const folder = tempDir(t);
  writeFileSync(join(folder, 'file'), '');
  const plan = runPlanOf(t, [trialPlan('a', { log })], { runDir: join(folder, 'file/runs/1') });
  await t.throwsAsync(startRun(plan, realDeps()), {
    name: 'RunDirError',
    message: /cannot write the run folder .*file is where a folder is needed; nothing was measured/,
  });
  t.is(lines(log).length, 0);
  const used = runPlanOf(t, [trialPlan('a', { log })]);
  mkdirSync(used.runDir, { recursive: true });
  writeFileSync(join(used.runDir, 'journal.jsonl'), '');
  await t.throwsAsync(startRun(used, realDeps()), { name: 'RunDirError', message: /already holds a run; resume it/ });
});

test('a disk that fills up while journalling is said once, the result is whole, the journal stays readable', async (t) => {
  let left = 6000;
  const full: JournalFs = {
    write(fd, text) {
      left -= text.length;
      if (left < 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      appendFileSync(fd, text);
    },
    sync() {},
  };
  const plan = runPlanOf(t, [trialPlan('a', {}, { forks: 4 })]);
  const deps = realDeps({ journalFs: full });
  const result = await startRun(plan, deps);
  t.is(result.status, 'complete');
  t.is(result.trials[0]!.forks.length, 4);
  t.is(result.trials[0]!.status, 'ok');
  const warnings = deps.events.filter((event) => event.type === 'warning');
  t.is(warnings.length, 1);
  const finding = result.findings.find(({ id }) => id === 'journal-lost');
  t.is(finding!.severity, 'error');
  t.regex(finding!.message, /ENOSPC, the disk is full.*goes on in memory/);
  const resumed = await resumeRun(plan.runDir, realDeps());
  t.deepEqual(essence(resumed), essence(result));
});
