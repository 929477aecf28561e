import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import {
  decodeHdr,
  encodeHdr,
  fromHdr,
  Histogram,
  percentileText,
  readHlog,
  toHdr,
  writeHlog,
} from '#lib/histogram/index.js';

const library = createRequire(import.meta.url)('hdr-histogram-js') as typeof import('hdr-histogram-js');

/** A reader written from the format alone: V2 compressed, zigzag LEB128 of up to 9 bytes. Values are [lowest value of bucket, count]. */
function independentDecode(base64: string) {
  const outer = Buffer.from(base64, 'base64');
  if (outer.readUInt32BE(0) !== 0x1c849314) throw new Error('outer cookie');
  const bytes = inflateSync(outer.subarray(8, 8 + outer.readUInt32BE(4)));
  if (bytes.readUInt32BE(0) !== 0x1c849313) throw new Error('inner cookie');
  const end = 40 + bytes.readUInt32BE(4);
  const digits = bytes.readUInt32BE(12);
  const unit = Math.floor(Math.log2(Number(bytes.readBigInt64BE(16))));
  const sub = 1n << BigInt(Math.ceil(Math.log2(2 * 10 ** digits)));
  const buckets: [number, number][] = [];
  let index = 0n;
  for (let at = 40; at < end; ) {
    let word = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++]!);
      if (shift === 56n) {
        word |= byte << shift;
        break;
      }
      word |= (byte & 0x7fn) << shift;
      if ((byte & 0x80n) === 0n) break;
    }
    const count = (word >> 1n) ^ -(word & 1n);
    if (count < 0n) {
      index -= count;
      continue;
    }
    if (count > 0n) {
      // Index = bucket * sub/2 + subBucket; the lower half of every bucket but the first belongs to the one below.
      let [bucket, within] = [index / (sub / 2n) - 1n, (index % (sub / 2n)) + sub / 2n];
      if (bucket < 0n) [bucket, within] = [0n, within - sub / 2n];
      buckets.push([Number(within << (bucket + BigInt(unit))), Number(count)]);
    }
    index++;
  }
  return {
    digits,
    offset: bytes.readInt32BE(8),
    ratio: bytes.readDoubleBE(32),
    buckets,
    highest: bytes.readBigInt64BE(24),
  };
}

const samples = fc.array(
  fc.tuple(
    fc.oneof(fc.nat(), fc.maxSafeNat()),
    fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 2 ** 45 })),
  ),
  { maxLength: 40 },
);

test('what we encode, an independent decoder reads: every bucket, offset 0, ratio 1.0', (t) => {
  fc.assert(
    fc.property(samples, fc.constantFrom(1, 2, 3, 4), fc.constantFrom(1, 1024), (pairs, digits, lowest) => {
      const h = new Histogram({ digits, lowest });
      for (const [v, n] of pairs) h.recordCount(v, n);
      const read = independentDecode(encodeHdr(h));
      return (
        JSON.stringify(read.buckets) === JSON.stringify(h.toJSON().buckets) &&
        read.digits === digits &&
        read.offset === 0 &&
        read.ratio === 1 &&
        Number(read.highest) >= (h.count ? h.max : 0)
      );
    }),
    { numRuns: 60 },
  );
  t.pass();
});

test('round trips through both forms keep every bucket', (t) => {
  fc.assert(
    fc.property(samples, fc.constantFrom(1, 3, 5), fc.constantFrom(1, 1000), (pairs, digits, lowest) => {
      const h = new Histogram({ digits, lowest });
      for (const [v, n] of pairs) h.recordCount(v, n);
      const buckets = JSON.stringify(h.toJSON().buckets);
      return (
        JSON.stringify(decodeHdr(encodeHdr(h)).toJSON().buckets) === buckets &&
        JSON.stringify(fromHdr(toHdr(h)).toJSON().buckets) === buckets
      );
    }),
    { numRuns: 60 },
  );
  t.pass();
});

test('what hdr-histogram-js encodes, we read; percentiles agree', (t) => {
  const theirs = library.build({ bitBucketSize: 32, highestTrackableValue: 1e12, numberOfSignificantValueDigits: 3 });
  const ours = new Histogram();
  for (let i = 0; i < 50_000; i++) {
    const v = Math.floor(1000 + 1e9 * (((i * 7919) % 50_000) / 50_000) ** 8);
    theirs.recordValue(v);
    ours.record(v);
  }
  const read = decodeHdr(library.encodeIntoCompressedBase64(theirs));
  t.deepEqual(read.toJSON().buckets, ours.toJSON().buckets);
  for (const p of [0.5, 50, 90, 99, 99.7, 99.9, 99.99, 99.999])
    t.is(ours.percentile(p), Math.min(theirs.getValueAtPercentile(p), ours.max), `p${p}`);
  // Theirs answers with the top of the last bucket, which can be above the max; ours never is.
  t.is(ours.mean, theirs.mean);
  t.true(Math.abs(ours.stdDeviation / theirs.stdDeviation - 1) < 1e-12);
});

test('a decoded max is the edge of its bucket even where hdr-histogram-js is wrong', (t) => {
  const h = new Histogram({ lowest: 1024 });
  h.record(1500);
  t.is(decodeHdr(encodeHdr(h)).max, 2047);
});

test('damaged and foreign data are refused with a reason', (t) => {
  const h = new Histogram();
  h.record(12345);
  const good = encodeHdr(h);
  t.throws(() => decodeHdr('bm90IG9uZQ=='), { instanceOf: TypeError, message: /first bytes/ });
  t.throws(() => decodeHdr(good.slice(0, 40)), { instanceOf: TypeError, message: /cut off/ });
  t.throws(() => decodeHdr(''), { instanceOf: TypeError });
  const broken = Buffer.from(good, 'base64');
  broken[20]! ^= 0xff;
  t.throws(() => decodeHdr(broken.toString('base64')), { instanceOf: TypeError });
  t.throws(() => fromHdr({} as never), { instanceOf: TypeError, message: /non-WASM/ });
});

test('percentile text is what hdr-histogram-js prints', (t) => {
  for (const [n, spread, scale] of [
    [1, 1, 1],
    [10, 5, 1],
    [1000, 1e6, 1000],
    [54_321, 1e9, 1e6],
  ] as const) {
    const h = new Histogram();
    for (let i = 0; i < n; i++) h.record(Math.floor(spread * (((i * 104_729) % n) / n) ** 3) + 1);
    const theirs = toHdr(h).outputPercentileDistribution(5, scale).split('\n');
    const mine = percentileText(h, 5, scale).split('\n');
    t.deepEqual(mine, theirs);
  }
  t.throws(() => percentileText(new Histogram(), 0), { instanceOf: RangeError });
  t.true(percentileText(new Histogram()).includes('Total count'));
});

test('a written .hlog is read by an independent reader, by hdr-histogram-js and by us', (t) => {
  const a = new Histogram();
  const b = new Histogram();
  for (let i = 1; i < 5000; i++) a.record(i * i);
  b.recordCount(777, 2 ** 40);
  const text = writeHlog(
    [
      { startSec: 0, lengthSec: 1, tag: null, histogram: a },
      { startSec: 1, lengthSec: 0.5, tag: 'probe.parse', histogram: b },
    ],
    { startTimeMs: 1_700_000_000_123, comments: ['[tscope]\nsecond line'] },
  );
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('"'));
  t.is(lines.length, 2);
  const first = lines[0]!.split(',');
  t.deepEqual(first.slice(0, 3), ['0.000', '1.000', '24.990']);
  t.deepEqual(independentDecode(first[3]!).buckets, a.toJSON().buckets as [number, number][]);
  const second = lines[1]!.split(',');
  t.is(second[0], 'Tag=probe.parse');
  t.deepEqual(independentDecode(second[4]!).buckets, [[777, 2 ** 40]]);

  const reader = new library.HistogramLogReader(text, 64);
  const theirs = [reader.nextIntervalHistogram()!, reader.nextIntervalHistogram()!];
  t.deepEqual(
    theirs.map((h) => h.totalCount),
    [4999, 2 ** 40],
  );
  t.is(theirs[0]!.startTimeStampMsec, 1_700_000_000_123);
  t.is(theirs[1]!.tag, 'probe.parse');

  const log = readHlog(text);
  t.is(log.startTimeSec, 1_700_000_000.123);
  t.is(log.baseTimeSec, 1_700_000_000.123);
  t.deepEqual(
    log.intervals.map(({ startSec, lengthSec, tag }) => [startSec, lengthSec, tag]),
    [
      [0, 1, null],
      [1, 0.5, 'probe.parse'],
    ],
  );
  t.deepEqual(log.intervals[0]!.histogram.toJSON().buckets, a.toJSON().buckets);
});

test('.hlog: tags that would break the line, and bad lines, are refused by name', (t) => {
  const h = new Histogram();
  for (const tag of ['a,b', 'a b', '', 'a\nb']) {
    t.throws(() => writeHlog([{ startSec: 0, lengthSec: 1, tag, histogram: h }], { startTimeMs: 0 }), {
      message: /tag/,
    });
  }
  const good = writeHlog([{ startSec: 0, lengthSec: 1, tag: null, histogram: h }], { startTimeMs: 0 });
  t.is(readHlog(good).intervals[0]!.histogram.count, 0);
  t.throws(() => readHlog(`${good}1,2,3\n`), { message: /line 6/ });
  t.throws(() => readHlog(`${good}x,2,3,abc\n`), { message: /line 6/ });
  // Of a good line, one field at a time.
  const encoded = good.trimEnd().split(',').at(-1)!;
  t.is(readHlog(`${good}1,2,3,${encoded}\n`).intervals.length, 2);
  for (const bad of [
    `x,2,3,${encoded}`,
    `1,x,3,${encoded}`,
    `,2,3,${encoded}`,
    `1,,3,${encoded}`,
    `1,2,3,${encoded},4`,
  ]) {
    t.throws(() => readHlog(`${good}${bad}\n`), { message: /line 6: expected \[Tag=name,\]start,length,max/ }, bad);
  }
  t.throws(() => readHlog(`${good}1,2,3,abc\n`), { message: /line 6.*first bytes/ });
});

test('hdr-histogram-js is loaded by interchange only', (t) => {
  const index = fileURLToPath(import.meta.resolve('#lib/histogram/index.js'));
  const probe = `
    const { createRequire } = await import('node:module');
    const { Histogram, encodeHdr, percentileText } = await import(${JSON.stringify(`file://${index}`)});
    const require = createRequire(${JSON.stringify(index)});
    const loaded = () => Object.keys(require.cache).some((name) => name.includes('hdr-histogram-js'));
    const h = new Histogram(); h.record(1); percentileText(h); h.correctedCopy(1);
    const before = loaded(); encodeHdr(h); console.log(before, loaded());`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', probe], { encoding: 'utf8' });
  t.is(out.trim(), 'false true');
});
