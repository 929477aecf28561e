/** Events that can be read from the beginning at any time, by several readers. */
export class EventLog<T> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #state: { readonly over: false } | { readonly over: true; readonly error: unknown; readonly failed: boolean } = {
    over: false,
  };
  #wake: (() => void)[] = [];

  push(event: T): void {
    this.#events.push(event);
    this.#notify();
  }

  /** No event follows; readers that have read all are done. */
  end(): void {
    this.#state = { over: true, failed: false, error: undefined };
    this.#notify();
  }

  /** No event follows; readers that have read all get `error`. */
  fail(error: unknown): void {
    this.#state = { over: true, failed: true, error };
    this.#notify();
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for (let next = 0; ; next++) {
      while (next >= this.#events.length) {
        if (this.#state.over) {
          if (this.#state.failed) throw this.#state.error;
          return;
        }
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
      yield this.#events[next]!;
    }
  }
}
