/**
 * HdrHistogram interchange through hdr-histogram-js, which is loaded on first use (70 to 280 ms).
 * Counts are moved as 64-bit floats: its 8-, 16- and 32-bit counts wrap silently and its packed ones break after some million records.
 */
import { createRequire } from 'node:module';
import { deflateSync, inflateSync } from 'node:zlib';
import type { Histogram as HdrHistogram } from 'hdr-histogram-js';
import { type Correction, Histogram } from './histogram.js';
import { lowestOf } from './layout.js';

type Library = typeof import('hdr-histogram-js');
let loaded: Library | undefined;
const library = (): Library => (loaded ??= createRequire(import.meta.url)('hdr-histogram-js') as Library);

/** What hdr-histogram-js has but does not declare. */
interface Counts {
  readonly countsArrayLength: number;
  readonly numberOfSignificantValueDigits: number;
  readonly lowestDiscernibleValue: number;
  getCountAtIndex(index: number): number;
}

const COMPRESSED = 0x1c849304;
const PLAIN = 0x1c849303;
const HEADER_BYTES = 40;

/** The same samples as a hdr-histogram-js histogram (plain JavaScript, 64-bit counts). Min and max stay exact. */
export function toHdr(h: Histogram): HdrHistogram {
  const lowestDiscernibleValue = 2 ** h.layout.unit;
  const highest = Math.max(h.count === 0 ? 0 : h.max, 2 * lowestDiscernibleValue);
  const hdr = library().build({
    bitBucketSize: 64,
    autoResize: true,
    lowestDiscernibleValue,
    highestTrackableValue: highest,
    numberOfSignificantValueDigits: h.layout.digits as 1 | 2 | 3 | 4 | 5,
  });
  for (const [lowest, top, count] of h.buckets()) {
    // The last bucket is recorded at the max and the first at the min, so that both stay exact.
    hdr.recordValueWithCount(top >= h.max ? h.max : Math.max(lowest, h.min), count);
  }
  return hdr;
}

/**
 * Reads a hdr-histogram-js histogram (plain JavaScript, not WASM). Counts keep their buckets; min and max become the edges of
 * the first and last bucket with a count, because its own can be wrong when its lowest discernible value is above 1.
 * @throws TypeError when it is not one, or counts are not whole numbers below 2^53.
 */
export function fromHdr(hdr: HdrHistogram, correction: Correction = 'none'): Histogram {
  const from = hdr as unknown as Partial<Counts>;
  if (typeof from.getCountAtIndex !== 'function' || typeof from.countsArrayLength !== 'number') {
    throw new TypeError(
      'histogram: only plain (non-WASM) histograms of hdr-histogram-js can be read; encode the other first',
    );
  }
  const { countsArrayLength: length, numberOfSignificantValueDigits: digits } = from as Counts;
  const h = new Histogram({ digits, lowest: from.lowestDiscernibleValue!, highest: 1, correction });
  for (let i = 0; i < length; i++) {
    const count = from.getCountAtIndex(i);
    if (!Number.isSafeInteger(count) || count < 0) {
      throw new TypeError(
        `histogram: bucket ${i} of the HdrHistogram has the count ${count}; counts must be whole and below 2^53`,
      );
    }
    if (count === 0) continue;
    h.recordCount(lowestOf(h.layout, i), count);
  }
  h.coverBuckets();
  return h;
}

/** Zigzag LEB128 of at most 9 bytes: how far the counts reach and how many samples they hold. */
function measurePayload(payload: Buffer): { length: number; total: number } {
  let [length, total, at] = [0, 0, 0];
  while (at < payload.length) {
    let [value, scale, bytes] = [0, 1, 0];
    for (let more = true; more; bytes++) {
      if (at >= payload.length) throw new TypeError('histogram: the encoded counts end in the middle of a number');
      const byte = payload[at++]!;
      more = bytes < 8 && byte >= 0x80;
      value += (bytes < 8 ? byte & 0x7f : byte) * scale;
      scale *= 128;
    }
    if (value % 2 === 0) {
      length++;
      total += value / 2;
    } else length += (value + 1) / 2;
  }
  return { length, total };
}

/**
 * HdrHistogram V2 compressed encoding as base64, as `.hlog` files hold it. The normalising offset is 0 and the value ratio 1.0,
 * as HdrHistogram for Java writes them (hdr-histogram-js writes an offset of 1 and the ratio as a whole number).
 */
export function encodeHdr(h: Histogram): string {
  const bytes = Buffer.from(library().encodeIntoCompressedBase64(toHdr(h)), 'base64');
  const plain = inflateSync(bytes.subarray(8, 8 + bytes.readUInt32BE(4)));
  plain.writeInt32BE(0, 8);
  plain.writeDoubleBE(1, 32);
  const packed = deflateSync(plain);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(COMPRESSED | 0x10, 0);
  head.writeUInt32BE(packed.length, 4);
  return Buffer.concat([head, packed]).toString('base64');
}

/** Checks the parts of an encoded histogram that hdr-histogram-js does not look at. */
function checkEncoded(text: string): { total: number } {
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length < 8 || (bytes.readUInt32BE(0) & ~0xf0) >>> 0 !== COMPRESSED) {
    throw new TypeError('histogram: not a V2 compressed HdrHistogram (wrong first bytes)');
  }
  const packedLength = bytes.readUInt32BE(4);
  if (packedLength > bytes.length - 8) throw new TypeError('histogram: the encoded HdrHistogram is cut off');
  let plain: Buffer;
  try {
    plain = inflateSync(bytes.subarray(8, 8 + packedLength));
  } catch (error) {
    throw new TypeError(`histogram: the encoded HdrHistogram cannot be decompressed (${(error as Error).message})`);
  }
  if (plain.length < HEADER_BYTES || (plain.readUInt32BE(0) & ~0xf0) >>> 0 !== PLAIN) {
    throw new TypeError('histogram: not a V2 HdrHistogram of whole numbers');
  }
  const payloadLength = plain.readUInt32BE(4);
  if (payloadLength > plain.length - HEADER_BYTES) throw new TypeError('histogram: the encoded counts are cut off');
  const [offset, digits, lowest] = [plain.readInt32BE(8), plain.readInt32BE(12), plain.readBigInt64BE(16)];
  // hdr-histogram-js marks its own with offset 1 and ratio bits 1; any other offset means rotated counts.
  const ownMark = offset === 1 && plain.readBigUInt64BE(32) === 1n;
  if (!ownMark && (offset !== 0 || plain.readDoubleBE(32) !== 1)) {
    throw new TypeError(
      'histogram: the encoded HdrHistogram has shifted or scaled values; only plain ones can be read',
    );
  }
  if (digits < 1 || digits > 5 || lowest < 1n || lowest > 2n ** 40n) {
    throw new TypeError(
      `histogram: the encoded HdrHistogram has ${digits} digits and lowest value ${lowest}; out of range`,
    );
  }
  return measurePayload(plain.subarray(HEADER_BYTES, HEADER_BYTES + payloadLength));
}

/**
 * Reads V2 compressed base64 from any HdrHistogram.
 * @throws TypeError when it is damaged, of another version, or holds shifted, scaled or too many counts.
 */
export function decodeHdr(text: string, correction: Correction = 'none'): Histogram {
  const { total } = checkEncoded(text);
  const h = fromHdr(library().decodeFromCompressedBase64(text.trim(), 64), correction);
  if (h.count !== total) {
    throw new TypeError(
      `histogram: the encoded counts hold ${total} samples, but only ${h.count} fit the range it declares`,
    );
  }
  return h;
}
