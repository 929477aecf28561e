// What it teaches: counters tell how often each kind of work happened beside the score, and params vary how often it does. A parser
// that throws on bad input is cheap while all input is good; a few per cent of bad lines can cost more than all the good ones
// together, since an exception is some hundred times dearer than a number. `inputs` hands each invocation the next line, so that
// branches see the mixture that production sees. `valid` counts as operations (a time or a rate of its own), `invalid` as events.
import { suite } from 'tscope';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** `12;-3.5` as a point; throws on anything else. */
function parsePoint(line: string): Point {
  const at = line.indexOf(';');
  const x = Number(line.slice(0, at));
  const y = Number(line.slice(at + 1));
  if (at < 0 || Number.isNaN(x) || Number.isNaN(y)) throw new SyntaxError(`not a point: ${line}`);
  return { x, y };
}

/** The same without exceptions: null for what is no point. */
function tryPoint(line: string): Point | null {
  const at = line.indexOf(';');
  const x = Number(line.slice(0, at));
  const y = Number(line.slice(at + 1));
  return at < 0 || Number.isNaN(x) || Number.isNaN(y) ? null : { x, y };
}

export default suite('Parser', {
  params: { invalidPercent: [0, 1, 10] },
  counters: { valid: 'operations', invalid: 'events' },
  inputs({ invalidPercent }) {
    // 1000 different lines; the bad ones are spread by a fixed stride, so that every run parses the same mixture.
    return Array.from({ length: 1000 }, (_, i) => {
      const bad = (i * 37) % 100 < invalidPercent;
      return bad ? `${i}:${i}` : `${i};${-i / 4}`;
    });
  },
  benchmarks: {
    throwing(_, { counters }, line) {
      try {
        const point = parsePoint(line);
        counters.valid++;
        return point;
      } catch {
        counters.invalid++;
        return null;
      }
    },
    returningNull(_, { counters }, line) {
      const point = tryPoint(line);
      if (point === null) counters.invalid++;
      else counters.valid++;
      return point;
    },
  },
});
