/** The last part of a text that comes in pieces. */
export class Tail {
  readonly #limit: number;
  #text = '';
  #dropped = false;

  /** @param limit Characters kept, default 8 KiB. */
  constructor(limit = 8192) {
    this.#limit = limit;
  }

  push(text: string): void {
    // Cut only when twice as long, so that many small pieces do not copy the whole each time.
    this.#text += text.length > this.#limit ? text.slice(-this.#limit) : text;
    if (text.length > this.#limit) this.#dropped = true;
    if (this.#text.length > 2 * this.#limit) this.#cut();
  }

  /** What is kept; begins with a mark when something was dropped. */
  toString(): string {
    if (this.#text.length > this.#limit) this.#cut();
    return this.#dropped ? `[...]${this.#text}` : this.#text;
  }

  #cut(): void {
    this.#text = this.#text.slice(-this.#limit);
    this.#dropped = true;
  }
}
