/**
 * An asynchronous queue: one worker takes messages in batches, so an event ends on a later tick than it began, and many are under way at once.
 * `tscope latency examples/latency-queue.latency.ts`
 */
import { latency } from 'tscope';

interface Message {
  readonly text: string;
  done(): void;
}

/** Collects messages and handles what has come once per turn of the event loop. */
class BatchQueue {
  private waiting: Message[] = [];
  handled = 0;

  push(message: Message): void {
    this.waiting.push(message);
    if (this.waiting.length === 1) setImmediate(() => this.handle());
  }

  private handle(): void {
    const batch = this.waiting;
    this.waiting = [];
    for (const message of batch) {
      this.handled += JSON.parse(message.text).length;
      message.done();
    }
  }
}

export default latency('Batch queue', {
  rate: 2000,
  arrivals: 'poisson',
  duration: '5s',
  params: { items: [10, 1000] },
  // The end is sample(), called on a later tick; one that never comes is counted as lost after the timeout.
  done: 'sample',
  timeout: '1s',
  setup: ({ items }) => ({ queue: new BatchQueue(), text: JSON.stringify(Array.from({ length: items }, (_, i) => i)) }),
  run({ queue, text }, event) {
    queue.push({ text, done: () => event.sample() });
  },
});
