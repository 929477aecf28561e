/**
 * Messages inside a byte stream that user code also prints to: `\x1e` + token + ` ` + JSON + `\n`.
 *
 * The record separator (as in RFC 7464) and a token that is random per fork mark a message anywhere in a line, so that a print without a
 * newline before it does no harm. Everything else is the user's own output and is handed on as it comes.
 */
import type { ForkMessage } from './messages.js';

const { StringDecoder } = process.getBuiltinModule('node:string_decoder');

/** Held here: the process of a fork also runs user code, which can replace it. */
const { stringify } = JSON;

const SEPARATOR = '\x1e';

/** Longest message accepted, UTF-16 units. Something longer is a broken stream, not a result. */
export const MAX_MESSAGE_LENGTH = 256 * 1024 * 1024;

/** What came out of the stream: a message, or the reason why something marked as one is none. */
export type Decoded =
  | { readonly ok: true; readonly message: ForkMessage }
  | { readonly ok: false; readonly reason: string };

/** The text of `message` on the wire. Write it with one call, so that no other print lands inside. */
export function encodeMessage(token: string, message: ForkMessage): string {
  return `${SEPARATOR}${token} ${stringify(message)}\n`;
}

/** Splits a fork's stdout into messages and the user's output. Feed it with {@link push}, then call {@link end} once. */
export class MessageDecoder {
  readonly #mark: string;
  readonly #onMessage: (decoded: Decoded) => void;
  readonly #onText: (text: string) => void;
  readonly #utf8 = new StringDecoder('utf8');
  readonly #maxLength: number;
  /** Text not yet handed on: a possible start of a mark. */
  #tail = '';
  /** Parts of the message being read; null outside of one. */
  #body: string[] | null = null;
  #length = 0;

  /** `onMessage` and `onText` are called in stream order, synchronously from {@link push}. */
  constructor(
    token: string,
    onMessage: (decoded: Decoded) => void,
    onText: (text: string) => void,
    maxLength: number = MAX_MESSAGE_LENGTH,
  ) {
    this.#mark = `${SEPARATOR}${token} `;
    this.#onMessage = onMessage;
    this.#onText = onText;
    this.#maxLength = maxLength;
  }

  /** Takes the next piece of the stream, cut anywhere (also inside a UTF-8 sequence). */
  push(chunk: Uint8Array | string): void {
    let text = typeof chunk === 'string' ? chunk : this.#utf8.write(chunk as Buffer);
    while (text.length > 0) text = this.#body === null ? this.#text(text) : this.#message(text);
  }

  /** The stream is over: hands on what is left; a message without its newline is an error. */
  end(): void {
    const rest = this.#utf8.end();
    if (rest !== '') this.push(rest);
    if (this.#body !== null) this.#fail('the stream ended inside a message');
    else if (this.#tail !== '') this.#onText(this.#tail);
    this.#tail = '';
  }

  /** Outside of a message: hands on text up to a mark, returns what follows the mark. */
  #text(chunk: string): string {
    const text = this.#tail + chunk;
    const at = text.indexOf(this.#mark);
    if (at >= 0) {
      this.#tail = '';
      if (at > 0) this.#onText(text.slice(0, at));
      this.#body = [];
      this.#length = 0;
      return text.slice(at + this.#mark.length);
    }
    const keep = this.#partialMark(text);
    this.#tail = text.slice(text.length - keep);
    if (keep < text.length) this.#onText(text.slice(0, text.length - keep));
    return '';
  }

  /** Length of the longest end of `text` that a mark could start with. */
  #partialMark(text: string): number {
    let at = text.indexOf(SEPARATOR, Math.max(0, text.length - this.#mark.length + 1));
    while (at >= 0) {
      if (this.#mark.startsWith(text.slice(at))) return text.length - at;
      at = text.indexOf(SEPARATOR, at + 1);
    }
    return 0;
  }

  /** Inside a message: collects up to the newline, returns what follows it. */
  #message(chunk: string): string {
    const body = this.#body!;
    const end = chunk.indexOf('\n');
    const part = end < 0 ? chunk : chunk.slice(0, end);
    this.#length += part.length;
    if (this.#length > this.#maxLength) {
      this.#fail(`a message is longer than ${this.#maxLength} characters`);
      return end < 0 ? '' : chunk.slice(end + 1);
    }
    body.push(part);
    if (end < 0) return '';
    this.#body = null;
    this.#onMessage(parse(body.join('')));
    return chunk.slice(end + 1);
  }

  #fail(reason: string): void {
    this.#body = null;
    this.#onMessage({ ok: false, reason });
  }
}

function parse(json: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { ok: false, reason: `a message is not JSON: ${shorten(json)}` };
  }
  if (typeof value !== 'object' || value === null || typeof (value as { type?: unknown }).type !== 'string') {
    return { ok: false, reason: `a message has no type: ${shorten(json)}` };
  }
  return { ok: true, message: value as ForkMessage };
}

function shorten(text: string): string {
  const printable = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}...` : text);
  return printable.slice(1, -1);
}
