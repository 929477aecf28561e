import type { ExecutionContext } from 'ava';
import test from 'ava';
import fc from 'fast-check';
import { findingsOf, TRIAL_RULES } from '#lib/analysis/findings/index.js';
import type { Finding, Trial } from '#lib/result/model.js';
import type { Shape } from './make-trial.js';
import {
  fork,
  healthy,
  iteration,
  noise,
  options,
  runtime,
  settledShape,
  trial,
  withForks,
  withIterations,
} from './make-trial.js';

const ids = (of: Trial, flags: string[] = []) => findingsOf(of, { flags: new Set(flags) }).map((finding) => finding.id);

function only(t: ExecutionContext, of: Trial, id: string, flags: string[] = []): Finding {
  const found = findingsOf(of, { flags: new Set(flags) });
  t.deepEqual(
    found.map((finding) => finding.id),
    [id],
  );
  t.deepEqual(findingsOf(of, { allow: new Set([id]) }), [], `${id} is silenced by --allow`);
  return found[0]!;
}

test('nothing to say about a healthy trial', (t) => {
  for (let seed = 1; seed <= 20; seed++) t.deepEqual(findingsOf(healthy(seed)), [], `seed ${seed}`);
});

test('ids are unique and kebab-case', (t) => {
  t.is(new Set(TRIAL_RULES.map((rule) => rule.id)).size, TRIAL_RULES.length);
  for (const { id } of TRIAL_RULES) t.regex(id, /^[a-z]+(-[a-z]+)*$/);
});

test('interference: above 1 % of the measured time, what was recorded apart from what nothing explains', (t) => {
  /** Shares of the time of each iteration of one fork in ten. */
  const gaps = (lost: number, taken: number, switches: number | null, gc = 0, cause: 'switch' | 'stolen' = 'stolen') =>
    withIterations(healthy(), (i, f) => {
      if (f.index !== 3) return {};
      const excludedNs = taken * i.elapsedNs;
      return {
        elapsedNs: i.elapsedNs + excludedNs,
        gaps: { count: 2, lostNs: lost * i.elapsedNs, worstNs: (lost * i.elapsedNs) / 2 },
        involuntarySwitches: switches,
        gc: { count: 1, ns: gc * i.elapsedNs },
        aware: { ...i.aware!, excludedNs, excludedChunks: 2, log: [{ atNs: 0, ns: excludedNs, cause }] },
      };
    });
  const told = (of: Trial) => findingsOf(of).find(({ id }) => id === 'interference');
  t.is(told(gaps(0.09, 0.09, 1)), undefined);
  const found = told(gaps(0.2, 0.2, 7))!;
  t.regex(found.message, /^1.9 % of .* taken from.*else 35 times, worst gap 10 ms\), which .* leaves out: stop/);
  t.deepEqual(found.forks, [3]);
  t.deepEqual(findingsOf(gaps(0.2, 0.2, 7), { allow: new Set(['interference', 'outlier-iterations']) }), []);
  t.regex(told(gaps(0.2, 0.2, 0))!.message, /virtual CPU stood still/);
  t.regex(told(gaps(0.2, 0.2, null, 0, 'switch'))!.message, /the kernel gave the CPU to something else, worst/);
  t.regex(
    told(gaps(0.2, 0, 7))!.message,
    /^Gaps took 2 % .*worst 10 ms.* no counter tells why .* stay in every score: look at/,
  );
  t.regex(told(gaps(0.5, 0.2, 7))!.message, /^1.9 % of .* taken.*; besides, gaps took 2.9 %/);
  // A collection makes long chunks, too, and is told elsewhere.
  t.is(told(gaps(0.2, 0, 7, 0.2)), undefined);
});

test('the interference-aware score outside of the interval of the plain one is told', (t) => {
  const taken = (share: number) =>
    withIterations(healthy(), ({ elapsedNs, ops }) => ({
      elapsedNs: elapsedNs * (1 + share),
      aware: { score: elapsedNs / ops, excludedNs: elapsedNs * share, excludedChunks: 5 },
    }));
  t.deepEqual(ids(taken(0.005)), []);
  const found = findingsOf(taken(0.2)).find(({ id }) => id === 'aware-differs')!;
  t.regex(found.message, /^Without the 17 % .* the score is (99|100)\S* ± \S+ ns\/op instead of 1(19|20)\S* ± /);
  // Where forks differ more than that, the plain interval holds both.
  const noisy = withForks(taken(0.05), (f) => ({
    iterations: f.iterations.map((i) => ({ ...i, ops: i.ops / (1 + (f.index % 2) * 0.5) })),
  }));
  t.false(findingsOf(noisy).some(({ id }) => id === 'aware-differs'));
});

test('interference: gaps lie between chunks and in every thread too, so that a share is never above the whole', (t) => {
  const between = withIterations(healthy(), (i) => ({
    gaps: { count: 1, lostNs: 2 * i.elapsedNs, worstNs: 2 * i.elapsedNs },
    wallNs: 3.2 * i.elapsedNs,
  }));
  const found = only(t, between, 'interference');
  t.regex(found.message, /took 6[23] % of the measured time/);
  t.true((found.data!.share as number) <= 1);
  const threaded = withIterations(healthy(), (i) => ({
    gaps: { count: 2, lostNs: 1.5 * i.elapsedNs, worstNs: 1 },
    threads: [0, 1].map(() => ({ ops: 1, elapsedNs: i.elapsedNs, label: null })),
    aware: null,
  }));
  t.regex(only(t, threaded, 'interference').message, /took 74 % of the measured time/);
});

test('bimodal forks: two tight groups 3 % apart; not 0.5 %, not one straggler, not scattered', (t) => {
  const at = (level: (f: number) => number) =>
    healthy(1, (f, random) => {
      const { warmup, measured } = settledShape(f, random);
      return { warmup: warmup.map((x) => x * level(f)), measured: measured.map((x) => x * level(f)) };
    });
  const found = only(
    t,
    at((f) => (f % 3 === 0 ? 1.03 : 1)),
    'bimodal-forks',
  );
  t.deepEqual(found.forks, [0, 3, 6, 9]);
  t.regex(found.message, /6 fast and 4 slow ones, 3 % apart/);
  t.regex(found.message, /--thorough/);
  t.notRegex(
    only(
      t,
      at((f) => (f % 3 === 0 ? 1.03 : 1)),
      'bimodal-forks',
      ['--thorough'],
    ).message,
    /more forks \(--thorough\)/,
  );
  t.deepEqual(ids(at((f) => (f % 3 === 0 ? 1.005 : 1))), []);
  t.deepEqual(ids(at((f) => (f === 4 ? 1.03 : 1))), []);
  t.deepEqual(ids(at((f) => 1 + 0.01 * f)), []);
});

test('not top tier: of the loop or the body at the end; long invocations excepted', (t) => {
  const low = (of: Trial) =>
    withIterations(of, (_, f) =>
      f.index < 2 ? { tier: { loop: 'maglev', body: 'turbofan', changed: false, deopts: 0 } } : {},
    );
  const found = only(t, low(healthy()), 'not-top-tier');
  t.regex(found.message, /2 of 10 forks.*loop maglev/);
  t.deepEqual(found.forks, [0, 1]);
  t.deepEqual(ids(withForks(low(healthy()), () => ({ async: true }))), ['not-top-tier'], 'awaited code has tiers, too');
  t.deepEqual(ids(withIterations(low(healthy()), () => ({ ops: 100 }))), []);
  t.deepEqual(ids(withIterations(healthy(), () => ({ tier: null }))), []);
  const inlined = { loop: 'turbofan', body: 'inlined', changed: false, deopts: 0 } as never;
  t.deepEqual(ids(withIterations(healthy(), () => ({ tier: inlined }))), []);
  const told = (loop: string, body: string, of = healthy()) => {
    const tier = { loop, body, changed: false, deopts: 0 } as never;
    return ids(withIterations(of, () => ({ tier }))).includes('not-top-tier');
  };
  for (const [loop, body] of ['optimized optimized', 'turbofan unknown', 'unknown unknown'].map((s) => s.split(' '))) {
    t.false(told(loop!, body!), `${loop} ${body}`);
  }
  for (const [loop, body] of ['turbofan maglev', 'maglev inlined', 'baseline interpreter'].map((s) => s.split(' '))) {
    t.true(told(loop!, body!), `${loop} ${body}`);
  }
  t.false(told('maglev', 'maglev', { ...healthy(), mode: 'ss' }), 'a single shot is cold by intention');
});

test('not top tier: the time of an invocation decides, whatever an op of it is', (t) => {
  const tier = { loop: 'maglev', body: 'maglev', changed: false, deopts: 0 } as const;
  const told = (nsPerOp: number, set: Record<string, number>) => {
    const of = withIterations(healthy(), () => ({ tier, ops: 1e8 / nsPerOp }));
    return ids({ ...of, options: options(set) }).includes('not-top-tier');
  };
  t.true(told(99_999, {}));
  t.false(told(100_000, {}));
  t.false(told(100, { opsPerInvocation: 1000 }), '100 us, told as 1000 ops');
  t.true(told(100, { opsPerInvocation: 999 }));
  t.true(told(500_000, { batchSize: 10 }), '50 us, ten of them an op');
});

test('advice on warm-up names a flag as new only where it was not used', (t) => {
  const low = withIterations(healthy(), () => ({
    tier: { loop: 'maglev', body: 'maglev', changed: false, deopts: 0 },
  }));
  const coarse = withForks(healthy(), () => ({
    runtime: { ...runtime, clock: { ...runtime.clock, granularityNs: 1000 } },
  }));
  for (const [of, id] of [
    [low, 'not-top-tier'],
    [coarse, 'granularity'],
  ] as const) {
    t.regex(only(t, of, id).message, /: set a longer warm-up with --warmup-iterations/, id);
    t.regex(only(t, of, id, ['--warmup-iterations']).message, /: raise --warmup-iterations/, id);
    const chosen = { ...of, options: options({ warmupIterations: 5 }) };
    t.regex(only(t, chosen, id).message, /: raise --warmup-iterations/, id);
  }
});

test('GC: told from 5 % on; the advice knows of --gc', (t) => {
  const collected = (ns: number, of = healthy()) => withIterations(of, () => ({ gc: { count: 1, ns } }));
  t.deepEqual(ids(collected(4e6)), []);
  t.regex(only(t, collected(12e6), 'gc-inside').message, /12 % of the measured time, in 50 of 50 iterations.*--gc:?/);
  t.notRegex(only(t, collected(12e6), 'gc-inside', ['--gc']).message, /--gc/);
  const set = { ...collected(12e6), options: options({ gc: true }) };
  t.notRegex(only(t, set, 'gc-inside').message, /--gc/);
});

test('deoptimisation inside: more than one iteration in twenty', (t) => {
  const falls = (n: number) =>
    withIterations(healthy(), (i, f) =>
      f.index * 5 + i.index < n ? { tier: { loop: 'turbofan', body: 'turbofan', changed: true, deopts: 1 } } : {},
    );
  t.deepEqual(ids(falls(2)), []);
  const found = only(t, falls(3), 'deopt-inside');
  t.regex(found.message, /3 of 50 iterations/);
  t.deepEqual(found.forks, [0]);
  t.deepEqual(ids(withIterations(healthy(), () => ({ tags: ['deopt'] }))), ['deopt-inside']);
});

test('clock jump: a single one is an error', (t) => {
  const jump = withIterations(healthy(), (i, f) =>
    f.index === 9 && i.index === 4 ? { clock: { driftNs: -2.5e9, discontinuity: true } } : {},
  );
  const found = only(t, jump, 'clock-jump');
  t.is(found.severity, 'error');
  t.regex(found.message, /1 of 50 measured iterations \(by up to 2.5 s\)/);
  t.deepEqual(found.forks, [9]);
});

test('eliminated: from the linearity of the forks; the words of the fork win', (t) => {
  const gone = { ratio: null, oneNs: 0.4, fourNs: 0.4, emptyNs: 0.4, eliminated: true };
  const all = withForks(healthy(), () => ({ linearity: gone }));
  const found = only(t, all, 'eliminated');
  t.is(found.severity, 'error');
  t.is(found.forks, undefined);
  const said: Finding = { id: 'eliminated', severity: 'error', message: 'The fork says so.' };
  t.is(
    only(
      t,
      withForks(all, () => ({ findings: [said] })),
      'eliminated',
    ).message,
    'The fork says so.',
  );
});

test('granularity: a chunk of 100 steps is the least; single ops may be ten times the clock', (t) => {
  const coarse = (granularityNs: number, mode: Trial['mode'] = 'avgt') => ({
    ...withForks(healthy(), () => ({ runtime: { ...runtime, clock: { ...runtime.clock, granularityNs } } })),
    mode,
  });
  t.deepEqual(ids(coarse(400)), []);
  t.regex(
    only(t, coarse(1000), 'granularity').message,
    /A chunk takes only 50 us and the clock resolves 1 us, 2 % of it.*set a longer warm-up/,
  );
  const hrtime = withForks(coarse(1000), (f) => ({
    runtime: { ...f.runtime!, clock: { ...f.runtime!.clock, backend: 'hrtime' } },
  }));
  const [told] = findingsOf(hrtime, { allow: new Set(['no-addon']) });
  t.regex(told!.message, /use the addon, whose clock is finer/);
  t.deepEqual(ids(coarse(1, 'sample')), ['granularity']);
  t.regex(only(t, coarse(1, 'sample'), 'granularity').message, /: measure it with --mode avgt, or do several per/);
  // Asked for on the command line: single times are what is wanted.
  t.regex(only(t, coarse(1, 'sample'), 'granularity', ['--mode']).message, /: do several per .* set opsPerInvocation/);
  const several = { ...coarse(1, 'sample'), options: options({ opsPerInvocation: 4 }) };
  t.regex(only(t, several, 'granularity', ['--mode']).message, /: do more ops per .* raise opsPerInvocation/);
  t.deepEqual(ids(withIterations(coarse(1, 'sample'), () => ({ ops: 1e8 / 200 }))), []);
});

test('trending: faster is warm-up, slower is growth; below half a per cent nothing is said', (t) => {
  const drift = (step: number) =>
    healthy(4, (_f, random) => ({
      warmup: Array.from({ length: 6 }, () => 100 * random()),
      measured: Array.from({ length: 5 }, (_, i) => 100 * (1 + step * i) * random()),
    }));
  t.regex(only(t, drift(-0.002), 'trending').message, /faster by 0\.\d+ %.*still warming up/);
  t.regex(only(t, drift(0.002), 'trending').message, /slower.*setupIteration/);
  t.deepEqual(ids(drift(-0.0008)), []);
});

test('not steady: how long a warm-up would have done, and what the score now is', (t) => {
  const late = healthy(
    1,
    (_f, random): Shape => ({
      warmup: Array.from({ length: 8 }, () => 150 * random()),
      measured: Array.from({ length: 12 }, (_, i) => (i < 4 ? 150 : 100) * random()),
    }),
  );
  const found = findingsOf(late).find((finding) => finding.id === 'not-steady')!;
  t.regex(
    found.message,
    /0 of 10 forks had settled.*relative, 1 %.*mixes warm-up.*set a longer warm-up with --warmup-iterations \(12 iterations/,
  );
  t.is(found.forks!.length, 10);
  const asked = withForks(late, () => ({ warmupEnd: 'fixed' }));
  const set = findingsOf({ ...asked, options: options({ warmupIterations: 8 }) }).find((f) => f.id === 'not-steady')!;
  t.regex(set.message, /this position in the life of a process.*raise --warmup-iterations/);
  t.false(ids({ ...late, mode: 'ss' }).includes('not-steady'));
});

test('not steady: only the forks that were late, and the longest warm-up where all settle', (t) => {
  const some = healthy(1, (f, random): Shape => {
    const level = (i: number) => (f % 3 === 0 && i < 12 + f ? 150 : 100);
    return {
      warmup: Array.from({ length: 8 }, (_, i) => level(i) * random()),
      measured: Array.from({ length: 20 }, (_, i) => level(8 + i) * random()),
    };
  });
  const backwards = { ...some, forks: [...some.forks].reverse() };
  const found = findingsOf(backwards).find((finding) => finding.id === 'not-steady')!;
  t.deepEqual(found.forks, [0, 3, 6, 9]);
  t.deepEqual(found.data, { state: 'not-initialised', settled: 6, forks: 10 });
  t.regex(found.message, /^Only 6 of 10 forks had settled.*--warmup-iterations \(21 iterations would have done\)\.$/);
  // The level of one fork changed just before its end: no length of warm-up is known to do.
  const never = withForks(some, (f) =>
    f.index === 9
      ? { iterations: f.iterations.map((i) => (i.index < 15 ? i : iteration(i.index, 250 + (i.index % 2)))) }
      : {},
  );
  const message = findingsOf(never).find((finding) => finding.id === 'not-steady')!.message;
  t.regex(message, /--warmup-iterations, and look for work that differs/);
  // One fork that ended its warm-up by itself, and the others' fixed length makes no common position.
  const mixed = withForks(some, (f) => ({ warmupEnd: f.index === 2 ? 'steady' : 'fixed' }));
  t.is(findingsOf(mixed).find((finding) => finding.id === 'not-steady')!.data!.state, 'not-initialised');
  const uneven = withForks(some, (f) => ({
    warmupEnd: 'fixed',
    ...(f.index === 2 ? { warmup: f.warmup.slice(1) } : {}),
  }));
  t.is(findingsOf(uneven).find((finding) => finding.id === 'not-steady')!.data!.state, 'not-initialised');
});

test('forks: none below 3 an error, 3 and 4 a weak one, 5 none to tell', (t) => {
  const of = (n: number) => ({ ...healthy(), forks: healthy().forks.slice(0, n) });
  t.regex(only(t, of(1), 'too-few-forks').message, /With 1 fork there is no error/);
  t.regex(only(t, of(4), 'too-few-forks').message, /3 degrees of freedom.*--forks/);
  t.regex(only(t, of(3), 'too-few-forks', ['--quick']).message, /leave out --quick/);
  t.deepEqual(ids(of(5)), []);
  t.deepEqual(ids(of(0)), []);
});

test('no addon, and not pinned: each says why, and neither says the other', (t) => {
  const hrtime = {
    ...runtime,
    pinnedCpu: null,
    clock: { ...runtime.clock, backend: 'hrtime' as const, granularityNs: 1, reason: 'not built.' },
  };
  const without = only(
    t,
    withForks(healthy(), () => ({ runtime: hrtime })),
    'no-addon',
  );
  t.regex(without.message, /10 of 10 forks used process.hrtime.*\(not built\): /);
  // Where /proc tells how long a thread waited, the interference-aware score stands beside this sentence.
  t.regex(without.message, /a watch on interference that sees only how long the thread waited/);
  const unwatched = withForks(
    withIterations(healthy(), () => ({ aware: null })),
    () => ({ runtime: hrtime }),
  );
  t.regex(only(t, unwatched, 'no-addon').message, /without pinning and without a watch on interference, because/);
  const loose = withForks(healthy(), (f) => (f.index === 2 ? { runtime: { ...runtime, pinnedCpu: null } } : {}));
  t.deepEqual(only(t, loose, 'not-pinned').forks, [2]);
  t.deepEqual(ids({ ...loose, options: options({ pin: false }) }), []);
});

test('warm-up cap: from two forks of ten on, with the limit', (t) => {
  const capped = (n: number) => withForks(healthy(), (f) => (f.index < n ? { warmupEnd: 'cap' } : {}));
  t.deepEqual(ids(capped(1)), []);
  t.regex(only(t, capped(2), 'warmup-cap').message, /after 1.5 s in 2 of 10 forks/);
});

test('outliers: located, with their tags and what they do to the mean; small ones are nobody’s business', (t) => {
  const slow = (by: number, tags: string[]) =>
    withIterations(healthy(), (i, f) => (f.index === 6 && i.index === 1 ? { ops: i.ops / by, tags } : {}));
  const found = only(t, slow(1.5, ['gap']), 'outlier-iterations');
  t.regex(found.message, /1 of 50 iterations lie far.*fork 7 iteration 2: \+50 %\), tagged gap.*0\.9\d % lower/);
  t.deepEqual(found.forks, [6]);
  t.deepEqual(ids(slow(1.03, [])), []);
});

test('canaries: the machine slowed down, by what it shows', (t) => {
  const slow = (canary: { arithmeticNs: number; memoryNs: number }, iterations = 2) =>
    withIterations(healthy(), (i, f) => (f.index === 1 && i.index < iterations ? { canary } : {}));
  t.deepEqual(ids(slow({ arithmeticNs: 21_500, memoryNs: 48_000 })), []);
  const cpu = only(t, slow({ arithmeticNs: 38_000, memoryNs: 42_000 }), 'canary-stray');
  t.regex(cpu.message, /Beside 2 of 50 iterations.*90 % slower than usual, so the CPU slowed down/);
  t.regex(only(t, slow({ arithmeticNs: 20_000, memoryNs: 80_000 }), 'canary-stray').message, /caches or memory/);
  t.is(cpu.severity, 'info');
  t.is(only(t, slow({ arithmeticNs: 38_000, memoryNs: 42_000 }, 5), 'canary-stray').severity, 'warning');
  t.deepEqual(ids(withIterations(healthy(), () => ({ canary: null }))), []);
});

test('what forks say is told once, with how many say so, the severest wording', (t) => {
  const say = (severity: Finding['severity'], message: string): Finding => ({ id: 'mixed-results', severity, message });
  const some = withForks(healthy(), (f) =>
    f.index < 3 ? { findings: [say(f.index === 1 ? 'warning' : 'info', `Told by fork ${f.index}.`)] } : {},
  );
  const found = only(t, some, 'mixed-results');
  t.deepEqual(found, { ...say('warning', 'In 3 of 10 forks: Told by fork 1.'), forks: [0, 1, 2] });
  const everyone = only(
    t,
    withForks(healthy(), () => ({ findings: [say('info', 'Same.')] })),
    'mixed-results',
  );
  t.deepEqual(everyone, say('info', 'Same.'));
});

/** A trial with everything wrong at once, from random parts. */
const chaos = fc
  .array(
    fc.record({
      ns: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e9, noNaN: true })), { maxLength: 9 }),
      measured: fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e9, noNaN: true })), { maxLength: 9 }),
      ok: fc.boolean(),
      end: fc.constantFrom('steady', 'fixed', 'cap', null),
      ran: fc.boolean(),
      gapNs: fc.constantFrom(0, 1e6, 1e9),
      jump: fc.boolean(),
      tags: fc.subarray(['gc', 'deopt', 'gap']),
      canary: fc.constantFrom(null, { arithmeticNs: 0, memoryNs: 0 }, { arithmeticNs: 5, memoryNs: 500 }),
    }),
    { maxLength: 12 },
  )
  .chain((forks) =>
    fc.record({ forks: fc.constant(forks), mode: fc.constantFrom<Trial['mode']>('avgt', 'thrpt', 'sample', 'ss') }),
  )
  .map(({ forks, mode }) =>
    trial(
      forks.map((f, index) => {
        const spoil = (ns: number, i: number) =>
          iteration(i, ns || 1, {
            ...(ns === 0 ? { ops: 0, elapsedNs: 0, chunks: null, score: null } : {}),
            gaps: { count: f.gapNs > 0 ? 1 : 0, lostNs: f.gapNs, worstNs: f.gapNs },
            clock: { driftNs: null, discontinuity: f.jump },
            tags: f.tags,
            canary: f.canary,
            tier: f.ran ? { loop: 'unknown', body: 'interpreter', changed: true, deopts: null } : null,
          });
        return fork(
          index,
          { warmup: [], measured: [] },
          {
            status: f.ok ? 'ok' : 'failed',
            warmupEnd: f.end,
            runtime: f.ran ? runtime : null,
            linearity: null,
            warmup: f.ns.map(spoil),
            iterations: f.measured.map(spoil),
          },
        );
      }),
      { mode, options: f0(mode) },
    ),
  );

function f0(mode: Trial['mode']): Trial['options'] {
  return mode === 'ss' ? {} : options();
}

test('property: no trial, however broken, makes a rule throw or say NaN; every message is one sentence', (t) => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(chaos, (of) => {
      for (const finding of findingsOf(of)) {
        seen.add(finding.id);
        t.notRegex(finding.message, /NaN|undefined|null|Infinity/, finding.id);
        t.regex(finding.message, /^[A-Z0-9].*\.$/);
        t.notRegex(finding.message, /[.!?]\s+[A-Z]/, finding.id);
        for (const value of Object.values(finding.data ?? {}))
          if (typeof value === 'number') t.true(Number.isFinite(value));
      }
    }),
    { numRuns: 300 },
  );
  t.true(seen.size >= 8, [...seen].join(', '));
});

test('property: findings do not depend on the order of forks', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
      const random = noise(seed, 0.2);
      const of = healthy(seed, (f, r) => settledShape(f, () => r() * random()));
      const sorted = (x: Trial) => ids(x).sort();
      t.deepEqual(sorted({ ...of, forks: [...of.forks].reverse() }), sorted(of));
    }),
    { numRuns: 15 },
  );
});
