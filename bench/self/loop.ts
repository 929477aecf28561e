/**
 * What the measuring costs, in one run and as ratios or differences of things measured in rotation:
 *   node scripts/build.mjs test && node out/bench/self/loop.js
 * Numbers are reported, not asserted; the aims stand beside them.
 */
import { makeBlackhole } from '#lib/engine/harness.js';
import { PLAIN } from '#lib/engine/loop-source.js';
import { type LoopTarget, loopCells, makeSyncLoop } from '#lib/engine/loops.js';
import { engineClock } from '#lib/engine/machine.js';
import { isTop } from '#lib/engine/stages.js';
import { tierProbe } from '#lib/engine/tiers.js';
import { Histogram } from '#lib/histogram/histogram.js';

const ROUNDS = 400;
const CHUNK_NS = 20_000;

const clock = engineClock();
const tiers = tierProbe();

/** A loop over n turns, made of text, so that loops do not share feedback. */
const loopOf = (before: string, turn: string, scope: Record<string, unknown> = {}) =>
  new Function(
    ...Object.keys(scope),
    `'use strict'; return function loop(n) { ${before} for (let i = 0; i < n; i++) { ${turn} } }`,
  )(...Object.values(scope)) as (n: number) => unknown;

const target: LoopTarget = {
  fn: () => 0,
  state: { n: 1 },
  harness: {},
  inputs: null,
  params: {},
  before: null,
  after: null,
};
const surroundings = { cells: loopCells(), clock, histogram: new Histogram() };
const own = (fn: () => unknown, more = {}) => makeSyncLoop({ ...target, fn }, { ...PLAIN, ...more }, surroundings).loop;

const { read, readOrdered, slot } = clock;
const out = new Float64Array(4);
const blackhole = makeBlackhole();
const otherBlackhole = makeBlackhole();
const numbers = [1.5, 2.5];
const objects = [{ a: 1 }, { a: 2 }];
const masks = new Int32Array(4);
let kept: unknown;
const keep = (value: unknown) => {
  kept = value;
};

const samples = { ...surroundings, cells: loopCells(3) };
samples.cells.spent[3] = 1; // every turn is sampled

const loops: Record<string, (n: number) => unknown> = {
  counted: loopOf('', 'out[0] = i;', { out }),
  emptyNumber: own(() => 0, { kind: 'number' }),
  emptyOther: own(() => undefined),
  opaque: own(() => undefined, { opaque: true }),
  hrtime: loopOf('let x;', 'x = hrtime(); kept[0] = x;', { hrtime: process.hrtime.bigint, kept: [null, {}] }),
  read: loopOf('', 'read(); out[0] = slot[0];', { read, slot, out }),
  hrtimePair: loopOf('', 'const a = hrtime(); const b = hrtime(); out[0] = Number(b - a);', {
    hrtime: process.hrtime.bigint,
    out,
  }),
  readPair: loopOf('', 'read(); const a = slot[0]; read(); out[0] = slot[0] - a;', { read, slot, out }),
  orderedPair: loopOf('', 'read(); const a = slot[0]; read(); out[0] = slot[0] - a;', { read: readOrdered, slot, out }),
  sample: makeSyncLoop({ ...target, fn: () => 0 }, { ...PLAIN, shape: 'sample', kind: 'number' }, samples).loop,
  loadNumber: loopOf('let v; const m = masks[0];', 'v = values[i & m]; out[0] = v;', { values: numbers, masks, out }),
  consumeNumber: loopOf('let v; const m = masks[0];', 'v = values[i & m]; out[0] = v; b.consume(v);', {
    values: numbers,
    masks,
    out,
    b: blackhole,
  }),
  loadObject: loopOf('let v; const m = masks[0];', 'v = values[i & m]; if (v === null) keep(v);', {
    values: objects,
    masks,
    keep,
  }),
  consumeObject: loopOf('let v; const m = masks[0];', 'v = values[i & m]; if (v === null) keep(v); b.consume(v);', {
    values: objects,
    masks,
    keep,
    b: otherBlackhole,
  }),
};
const makeToken = loopOf('b.consumeCPU(n);', 'break;', { b: makeBlackhole() });
loops.token = makeToken;
void kept;

/** Lower quartile of each loop's ns per turn, measured in rotation: what interrupts one, interrupts all. */
function measureAll(): Record<string, number> {
  const names = Object.keys(loops);
  const turns: Record<string, number> = Object.fromEntries(names.map((name) => [name, 64]));
  const series: Record<string, Float64Array> = Object.fromEntries(
    names.map((name) => [name, new Float64Array(ROUNDS)]),
  );
  const time = (name: string) => {
    read();
    const start = slot[0]!;
    loops[name]!(turns[name]!);
    read();
    return (slot[0]! - start) * clock.nsPerTick;
  };
  const begin = performance.now();
  for (;;) {
    for (const name of names) {
      const ns = time(name);
      if (ns < CHUNK_NS) turns[name]! *= 2;
      else if (ns > 4 * CHUNK_NS && turns[name]! > 64) turns[name]! >>= 1;
    }
    const spent = performance.now() - begin;
    const ready = tiers.of === null ? spent > 2000 : names.every((name) => isTop(tiers.of!(loops[name]).tier));
    if ((ready && spent > 500) || spent > 5000) break;
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) series[name]![round] = time(name) / turns[name]!;
  return Object.fromEntries(names.map((name) => [name, series[name]!.sort()[ROUNDS >> 2]!]));
}

const ns = measureAll();
const of = (name: string): number => ns[name]!;
const row = (what: string, value: number, unit: string, aim: string, note = '') =>
  console.log(`${what.padEnd(58)} ${value.toFixed(2).padStart(8)} ${unit.padEnd(6)} ${aim.padEnd(22)} ${note}`);

console.log(`Node ${process.version}, V8 ${process.versions.v8}, clock ${clock.info.source} (${clock.info.backend})\n`);
row('empty op over an empty counted loop, number', of('emptyNumber') - of('counted'), 'ns/op', 'aim: at most 1');
row('empty op over an empty counted loop, undefined', of('emptyOther') - of('counted'), 'ns/op', 'aim: at most 1');
row('empty op, opaque call, over an empty counted loop', of('opaque') - of('counted'), 'ns/op', '');
row(
  'clock read / process.hrtime.bigint()',
  of('read') / of('hrtime'),
  'x',
  'aim: at most 0.65',
  `${of('read').toFixed(1)} / ${of('hrtime').toFixed(1)} ns`,
);
row(
  'start/stop pair / pair of hrtime.bigint()',
  of('readPair') / of('hrtimePair'),
  'x',
  'aim: at most 0.5',
  `${of('readPair').toFixed(1)} / ${of('hrtimePair').toFixed(1)} ns`,
);
row(
  'sampled op / two ordered clock reads',
  of('sample') / of('orderedPair'),
  'x',
  'aim: at most 1.5',
  `${of('sample').toFixed(1)} / ${of('orderedPair').toFixed(1)} ns`,
);
row('blackhole.consume(number)', of('consumeNumber') - of('loadNumber'), 'ns', 'aim: at most 1');
row('blackhole.consume(object)', of('consumeObject') - of('loadObject'), 'ns', 'aim: at most 1.5');
row('blackhole.consumeCPU, per token', of('token'), 'ns', '');
const fewer = [1000, 2000, 4000, 8000].map((tokens) => {
  const best = new Float64Array(50);
  for (let i = 0; i < best.length; i++) {
    read();
    const start = slot[0]!;
    makeToken(tokens);
    read();
    best[i] = (slot[0]! - start) * clock.nsPerTick;
  }
  return best.sort()[12]! / tokens;
});
row(
  'consumeCPU linear: dearest / cheapest token, 1000 to 8000',
  Math.max(...fewer) / Math.min(...fewer),
  'x',
  'aim: 1',
);
