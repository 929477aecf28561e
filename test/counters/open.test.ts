import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import test from 'ava';
import { type Counters, events, MAX_EVENTS, open } from '#lib/counters/index.js';

const probe = open(['task-clock']);
if (!probe.ok) console.log(`# counters are not to be had here: ${probe.message}`);
const software = probe.ok ? test.serial : test.serial.skip;
if (probe.ok) probe.counters.close();

function opened(names: string[], options?: Parameters<typeof open>[1]): Counters {
  const outcome = open(names, options);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.counters;
}
const touch = (mebibytes: number) => new Uint8Array(mebibytes << 20).fill(1)[0]!;
const openFiles = () => readdirSync('/proc/self/fd').length;

software('software events of a section; what an empty one adds is reported beside', (t) => {
  const counters = opened(['task-clock', 'page-faults', 'minor-faults']);
  const { result, section } = counters.measure(() => touch(32));
  t.is(result, 1);
  t.true(section.counts['page-faults']! >= 1);
  t.true(section.counts['page-faults']! >= section.counts['minor-faults']!);
  t.true(section.counts['task-clock']! > counters.overhead!['task-clock']!);
  t.is(section.overhead, counters.overhead);
  t.is(counters.overhead!['page-faults'], 0);
  t.true(section.enabledNs > 0);
  t.is(section.multiplexed, section.runningNs < section.enabledNs);
  counters.close();
});

software('more work counts more: task-clock grows with it, page faults with the memory touched', (t) => {
  const counters = opened(['page-faults']);
  // Large enough that every array is fresh memory from the system.
  const small = counters.measure(() => touch(16)).section.counts['page-faults']!;
  const large = counters.measure(() => touch(256)).section.counts['page-faults']!;
  t.true(large > small, `${large} faults for 256 MiB, ${small} for 16 MiB`);
  counters.close();
});

software('sleeping switches are counted although kernel is false: they happen in the kernel', (t) => {
  const outcome = open(['context-switches']);
  if (!outcome.ok) return t.regex(outcome.hint, /perf_event_paranoid/);
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const { section } = outcome.counters.measure(() => {
    for (let i = 0; i < 20; i++) Atomics.wait(cell, 0, 0, 1);
  });
  t.true(section.counts['context-switches']! >= 20);
  outcome.counters.close();
});

software('a hardware event that the machine lacks is listed with a hint, the others count', (t) => {
  const counters = opened(['cycles', 'task-clock', 'instructions']);
  for (const { name, code, errno, hint } of counters.failed) {
    t.true(['cycles', 'instructions'].includes(name));
    t.true(errno > 0 && hint.length > 20, `${code}: ${hint}`);
  }
  t.deepEqual([...counters.names, ...counters.failed.map(({ name }) => name)].sort(), [
    'cycles',
    'instructions',
    'task-clock',
  ]);
  if (counters.failed.length === 2) {
    const alone = open(['cycles']);
    t.true(!alone.ok && alone.errno === counters.failed[0]!.errno && alone.hint === counters.failed[0]!.hint);
  }
  counters.close();
});

software('end writes counts, then two times; too small an array is misuse', (t) => {
  const counters = opened(['task-clock', 'page-faults'], { calibration: 0 });
  t.is(counters.overhead, null);
  const into = new Float64Array(5).fill(-1);
  counters.begin();
  counters.end(into);
  t.true(into[0]! > 0 && into[2]! > 0 && into[3] === into[2]);
  t.is(into[4], -1);
  t.throws(() => counters.end(new Float64Array(3)), { instanceOf: TypeError, message: /two times/ });
  t.throws(() => counters.end(new Float32Array(8) as unknown as Float64Array), { instanceOf: TypeError });
  counters.close();
});

software('a closed group says so; closing twice is fine', (t) => {
  const before = openFiles();
  const counters = opened(['task-clock', 'page-faults']);
  t.is(openFiles(), before + 2);
  counters.close();
  counters[Symbol.dispose]();
  t.is(openFiles(), before);
  t.throws(() => counters.begin(), { instanceOf: TypeError, message: /closed/ });
  t.throws(() => counters.section(), { instanceOf: TypeError, message: /closed/ });
});

software('10,000 groups made and closed leave files and memory flat', (t) => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module',
      '-e',
      `
      import { readdirSync } from 'node:fs';
      const { open } = await import('#lib/counters/index.js');
      const cycle = (n) => {
        for (let i = 0; i < n; i++) {
          const { counters } = open(['task-clock', 'page-faults'], { calibration: 1 });
          counters.begin();
          counters.section();
          counters.close();
          if (i % 500 === 0) gc();
        }
        gc();
      };
      // Finalizers run between turns of the event loop.
      const rest = () => new Promise((resolve) => setTimeout(resolve, 20));
      cycle(2000); await rest(); gc(); await rest();
      const before = process.memoryUsage().rss, files = readdirSync('/proc/self/fd').length;
      for (let k = 0; k < 10; k++) { cycle(1000); await rest(); }
      gc(); await rest();
      console.log(JSON.stringify({ grown: process.memoryUsage().rss - before, files: readdirSync('/proc/self/fd').length - files }));`,
    ],
    { encoding: 'utf8' },
  );
  const { grown, files } = JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`);
  t.log(`${(grown / 1024).toFixed(0)} KiB grown over 10,000 groups`);
  t.is(files, 0);
  // A group is about 500 bytes with its handle: a leak of each would be 5 MB and more.
  t.true(grown < 3 << 20, `${grown} bytes`);
});

software('a forgotten group is closed when it is collected', async (t) => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--expose-gc',
      '--input-type=module',
      '-e',
      `
      import { readdirSync } from 'node:fs';
      const { open } = await import('#lib/counters/index.js');
      const files = () => readdirSync('/proc/self/fd').length;
      const before = files();
      (() => { for (let i = 0; i < 50; i++) open(['task-clock'], { calibration: 0 }); })();
      const made = files() - before;
      for (let i = 0; i < 20 && files() > before; i++) { gc(); await new Promise((resolve) => setTimeout(resolve, 10)); }
      console.log(JSON.stringify([made, files() - before]));`,
    ],
    { encoding: 'utf8' },
  );
  const [made, left] = JSON.parse(stdout);
  t.is(made, 50);
  t.true(left <= 1, `${left} files left`);
});

software('four workers count their own threads at once; terminating one in the middle does no harm', async (t) => {
  const url = import.meta.resolve('#lib/counters/index.js');
  const script = `
    const { parentPort, workerData } = require('node:worker_threads');
    import(${JSON.stringify(url)}).then(({ open }) => {
      const { counters } = open(['page-faults', 'task-clock']);
      if (workerData === 'forever') { parentPort.postMessage('up'); for (;;) counters.measure(() => 1); }
      const { section } = counters.measure(() => new Uint8Array(workerData << 20).fill(1)[0]);
      parentPort.postMessage(section.counts);
    });`;
  const mine = opened(['page-faults']);
  mine.begin();
  const results = await Promise.all(
    [64, 64, 1, 'forever'].map(
      (workerData) =>
        new Promise<Record<string, number>>((resolve, reject) => {
          const worker = new Worker(script, { eval: true, workerData });
          worker.on('error', reject);
          worker.on('message', (message) => {
            if (message === 'up') void worker.terminate().then(() => resolve({}));
            else resolve(message);
          });
        }),
    ),
  );
  t.true(results[0]!['page-faults']! > results[2]!['page-faults']!);
  t.true(results.slice(0, 3).every((counts) => counts['task-clock']! > 0));
  mine.close();
});

test('every event has a name of its own and says whether it needs a PMU', (t) => {
  const all = events();
  if (all === null) return t.pass();
  t.is(new Set(all.map(({ name }) => name)).size, all.length);
  t.true(all.find(({ name }) => name === 'cycles')!.hardware);
  t.false(all.find(({ name }) => name === 'task-clock')!.hardware);
  t.true(all.find(({ name }) => name === 'cpu-migrations')!.inKernel);
});

test('misuse throws and names the event', (t) => {
  t.throws(() => open([]), { instanceOf: RangeError, message: /events\(\)/ });
  t.throws(() => open(['task-clock', 'task-clock']), { instanceOf: RangeError, message: /twice/ });
  t.throws(() => open(Array.from({ length: MAX_EVENTS + 1 }, (_, i) => `e${i}`)), { message: /17 events.*takes 16/ });
  t.throws(() => open('cycles' as unknown as string[]), { instanceOf: TypeError });
  t.throws(() => open([7 as unknown as string]), { instanceOf: TypeError });
  t.throws(() => open(['task-clock'], { calibration: Number.NaN }), { instanceOf: RangeError });
  if (events()) t.throws(() => open(['cycels']), { instanceOf: TypeError, message: /no event "cycels"; use cycles/ });
});

test('without the addon opening is refused as a value', (t) => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const c = await import('#lib/counters/index.js');
       console.log(JSON.stringify([c.events(), c.measureGhz(), c.open(['task-clock']).code, c.openCycles().code, c.survey().code]));`,
    ],
    { encoding: 'utf8', env: { ...process.env, TSCOPE_NO_ADDON: '1' } },
  );
  t.deepEqual(JSON.parse(stdout), [null, null, 'NO_ADDON', 'NO_ADDON', 'NO_ADDON']);
});

software('a section has to be begun before it is ended', (t) => {
  const opened = open(['task-clock']);
  if (!opened.ok) return t.pass();
  const { counters } = opened;
  // Without this it was the time since the calibration, hundreds of ms for an empty section.
  t.throws(() => counters.section(), { message: 'counters: end() before begin()' });
  counters.begin();
  counters.section();
  t.throws(() => counters.end(new Float64Array(3)), { message: 'counters: end() before begin()' });
  counters.close();
});

software('work that returns a promise is refused: only what it did until then would be counted', (t) => {
  const opened = open(['task-clock']);
  if (!opened.ok) return t.pass();
  const { counters } = opened;
  t.throws(() => counters.measure(async () => 1), {
    instanceOf: TypeError,
    message: /^counters: measure\(work\): work returned a promise/,
  });
  t.throws(() => counters.measure(5 as never), {
    instanceOf: TypeError,
    message: /work must be a function, not a number/,
  });
  t.is(counters.measure(() => 7).result, 7);
  counters.close();
  t.throws(() => open(['task-clock'], { kernl: true } as object), {
    instanceOf: TypeError,
    message: /no option "kernl"/,
  });
});
