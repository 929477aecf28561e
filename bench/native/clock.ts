/**
 * Cost of one clock read from JavaScript by path, beside the native read and process.hrtime.bigint(), interleaved in one
 * process. Aims: best path at most 1.1 of native; plain Node-API at most 0.65 of hrtime on Node 20; a start/stop pair at most 0.5.
 * Run: node out/bench/native/clock.js
 */
import { chooseReads, processHost } from '#lib/clock/paths.js';
import { loadAddon } from '#lib/native/load.js';
import { printAims } from './parts/aims.js';

const { addon, reason, path } = loadAddon();
if (!addon?.clock) {
  console.error(`nothing to compare: ${reason}`);
  process.exit(1);
}
const surface = addon.clock;
const slot = new Float64Array(new SharedArrayBuffer(256), 64, 8);
const plain = surface.open(slot, false);
const fast = chooseReads(surface, slot, plain, { ...processHost(path), enabled: true });

const READS = 2000;
const ROUNDS = 400;
const WARMUP = 300;

let sink = 0;
let compiled = 0;
/** One function for each subject, its source unlike the others': functions of equal source share their feedback. */
const compile = (body: string) => new Function('read', 'slot', 'hrtime', 'n', `/* ${++compiled} */ ${body}`);
const readLoop = `let s = 0; for (let i = 0; i < n; i++) { read(); s += slot[0]; } return s;`;
const pairLoop = `let s = 0; for (let i = 0; i < n; i++) { read(); const a = slot[0]; read(); s += slot[0] - a; } return s;`;
const subjects: Record<string, () => number> = {
  'napi read': compile(readLoop).bind(null, plain.read, slot, null, READS),
  'napi pair': compile(pairLoop).bind(null, plain.read, slot, null, READS),
  'hrtime read': compile(`let s = 0n; for (let i = 0; i < n; i++) s = hrtime(); return Number(s & 1n);`).bind(
    null,
    null,
    null,
    process.hrtime.bigint,
    READS,
  ),
  'hrtime pair': compile(
    `let s = 0; for (let i = 0; i < n; i++) { const a = hrtime(); s += Number(hrtime() - a); } return s;`,
  ).bind(null, null, null, process.hrtime.bigint, READS),
};
if (fast.info.path !== 'napi') {
  subjects[`${fast.info.path} read`] = compile(readLoop).bind(null, fast.reads.read, slot, null, READS);
  subjects[`${fast.info.path} pair`] = compile(pairLoop).bind(null, fast.reads.read, slot, null, READS);
}

const times = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
const native: number[] = [];
for (let round = -WARMUP; round < ROUNDS; round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    const start = process.hrtime.bigint();
    sink += subject();
    const elapsed = Number(process.hrtime.bigint() - start) / READS;
    if (round >= 0) times.get(name)!.push(elapsed);
  }
  if (round >= 0 && round % 20 === 0) native.push(surface.nativeCost(false));
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const cost = (name: string) => median(times.get(name)!);
const nativeNs = median(native);
console.log(`clock reads, ${plain.source}, node ${process.version}, V8 ${process.versions.v8} (sink ${sink % 2 < 2})`);
console.log(`native read        ${nativeNs.toFixed(2)} ns`);
for (const name of Object.keys(subjects)) {
  const beside = name.endsWith('pair') ? 'hrtime pair' : 'hrtime read';
  const ratios = `${(cost(name) / nativeNs).toFixed(2)} of native, ${(cost(name) / cost(beside)).toFixed(2)} of ${beside}`;
  console.log(`${name.padEnd(18)} ${cost(name).toFixed(2)} ns, ${ratios}`);
}
for (const { path: other, reason: why } of fast.info.refused) console.log(`not ${other}: ${why}`);

const best = fast.info.path === 'napi' ? 'napi read' : `${fast.info.path} read`;
printAims([
  { what: `${best} against native`, value: cost(best) / nativeNs, aim: 1.1 },
  { what: 'napi read against hrtime read', value: cost('napi read') / cost('hrtime read'), aim: 0.65 },
  { what: 'napi pair against hrtime pair', value: cost('napi pair') / cost('hrtime pair'), aim: 0.5 },
]);
