/** A synchronous function at 20,000 calls a second, with two stages of it as probes. `tscope latency examples/latency-sync.latency.ts` */
import { latency } from 'tscope';

interface Order {
  readonly symbol: string;
  readonly price: number;
  readonly quantity: number;
}

/** Best bid of each symbol, as a matching engine keeps it. */
class Book {
  private readonly best = new Map<string, Order>();

  /** True when the order becomes the best. */
  add(order: Order): boolean {
    const current = this.best.get(order.symbol);
    if (current && current.price >= order.price) return false;
    this.best.set(order.symbol, order);
    return true;
  }
}

export default latency('Order book', {
  rate: 20_000,
  duration: '5s',
  probes: ['parse', 'match'],
  setup: () => new Book(),
  // Prepared before the run, handed out in turn: making them is not measured.
  inputs: () =>
    Array.from({ length: 1024 }, (_, i) =>
      JSON.stringify({ symbol: `S${i % 32}`, price: (i * 7919) % 1000, quantity: i }),
    ),
  run(book, event) {
    const begin = event.now();
    const order: Order = JSON.parse(event.input);
    const parsed = event.now();
    book.add(order);
    event.probe.parse(parsed - begin);
    event.probe.match(event.now() - parsed);
  },
});
