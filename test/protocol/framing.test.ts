import test from 'ava';
import fc from 'fast-check';
import { type Decoded, encodeMessage, MessageDecoder } from '#lib/protocol/framing.js';
import type { ForkMessage } from '#lib/protocol/messages.js';

const TOKEN = 'a1b2c3';

type Item = { readonly text: string } | { readonly message: ForkMessage };

/** Decodes `chunks`; consecutive texts are joined, since how they are cut means nothing. */
function decode(chunks: Iterable<Uint8Array | string>, maxLength?: number): (Decoded | string)[] {
  const out: (Decoded | string)[] = [];
  const decoder = new MessageDecoder(
    TOKEN,
    (decoded) => out.push(decoded),
    (text) => {
      if (typeof out.at(-1) === 'string') out.push(`${out.pop()}${text}`);
      else out.push(text);
    },
    maxLength,
  );
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return out;
}

const finding = (message: string): ForkMessage => ({
  type: 'finding',
  finding: { id: 'x', severity: 'info', message },
});

const wellFormed = (text: string) => Buffer.from(text).toString();

// Unicode without lone surrogates (they do not survive UTF-8), with the separator and the token thrown in often.
const userText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x1e', `\x1e${TOKEN}`, TOKEN, '\n', `\x1e${TOKEN.slice(0, 3)}`),
    ),
  )
  .map((parts) => wellFormed(parts.join('').replaceAll(`\x1e${TOKEN} `, '')));
const items: fc.Arbitrary<Item[]> = fc.array(
  fc.oneof(
    userText.map((text) => ({ text })),
    fc.string({ unit: 'binary' }).map((text) => ({ message: finding(wellFormed(text)) })),
  ),
);

test('messages and user output come out as they went in, however the stream is cut', (t) => {
  fc.assert(
    fc.property(items, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sequence, cuts) => {
      const wire = Buffer.from(
        sequence.map((item) => ('text' in item ? item.text : encodeMessage(TOKEN, item.message))).join(''),
      );
      // A text that ends in a whole mark but for its space would swallow what follows: that is user code that knows its token.
      fc.pre(wire.toString().split(`\x1e${TOKEN} `).length - 1 === sequence.filter((item) => 'message' in item).length);
      const chunks: Uint8Array[] = [];
      for (let at = 0, i = 0; at < wire.length; i++) {
        const size = cuts[i % cuts.length]!;
        chunks.push(wire.subarray(at, at + size));
        at += size;
      }
      const expected: (Decoded | string)[] = [];
      for (const item of sequence) {
        if ('message' in item) expected.push({ ok: true, message: item.message });
        else if (item.text === '') continue;
        else if (typeof expected.at(-1) === 'string') expected.push(`${expected.pop()}${item.text}`);
        else expected.push(item.text);
      }
      t.deepEqual(decode(chunks), expected);
    }),
  );
});

test('a print without a newline before a message does not hide it', (t) => {
  const wire = `no newline${encodeMessage(TOKEN, finding('a'))}more`;
  t.deepEqual(decode([wire]), ['no newline', { ok: true, message: finding('a') }, 'more']);
});

test('a message of another token is user output', (t) => {
  const wire = encodeMessage('other', finding('a'));
  t.deepEqual(decode([wire]), [wire]);
});

test('broken messages are errors, and what follows is read on', (t) => {
  const mark = `\x1e${TOKEN} `;
  const good = encodeMessage(TOKEN, finding('good'));
  const [json, untyped, last] = decode([`${mark}{"type":\n${mark}[1]\n${good}`]) as Decoded[];
  t.false(json!.ok);
  t.regex((json as { reason: string }).reason, /not JSON: \{"type\\":|not JSON: \{\\"type\\":/);
  t.regex((untyped as { reason: string }).reason, /no type/);
  t.true(last!.ok);
  t.deepEqual(decode([`${mark}{"type":"done"`]), [{ ok: false, reason: 'the stream ended inside a message' }]);
});

test('a message without end is cut off and does not fill the memory', (t) => {
  const chunks = [`\x1e${TOKEN} `, ...Array.from({ length: 100 }, () => 'y'.repeat(100))];
  const out = decode(chunks, 1000);
  t.deepEqual(out[0], { ok: false, reason: 'a message is longer than 1000 characters' });
  t.is(out.filter((item) => typeof item !== 'string').length, 1);
});

test('ten megabytes on one line pass through without being held back', (t) => {
  let [seen, held] = [0, 0];
  const decoder = new MessageDecoder(
    TOKEN,
    () => t.fail(),
    (text) => {
      seen += text.length;
    },
  );
  const chunk = 'z'.repeat(65_536);
  for (let i = 1; i <= 160; i++) {
    decoder.push(chunk);
    held = Math.max(held, i * chunk.length - seen);
  }
  decoder.end();
  t.is(seen, 160 * 65_536);
  t.is(held, 0);
});

test('bytes that are not UTF-8 before a message do not damage it', (t) => {
  const wire = Buffer.concat([Buffer.from([0xff, 0xe2, 0x82]), Buffer.from(encodeMessage(TOKEN, finding('a')))]);
  const out = decode([wire]);
  t.deepEqual(out.at(-1), { ok: true, message: finding('a') });
});
