/** The progress line under a fake terminal and a clock that the test moves. */
import test from 'ava';
import { progressLine, progressText } from '#lib/cli/run/progress.js';

function terminal(interactive: boolean, columns = 80) {
  const written: string[] = [];
  let nowMs = 5;
  const line = progressLine({ err: (text) => written.push(text), interactive, columns }, () => nowMs);
  return { line, written, pass: (ms: number) => (nowMs += ms) };
}

test('the text: forks done, share, the time that is left once it is known, the trial', (t) => {
  const at = { done: 12, total: 40, trial: 'Hash.mix(7, 64)' };
  t.is(progressText({ ...at, etaMs: 72_000 }), '12/40 forks, 30 %, ETA 1.2 min, Hash.mix(7, 64)');
  t.is(progressText({ ...at, done: 0, etaMs: null }), '0/40 forks, 0 %, Hash.mix(7, 64)');
  t.is(progressText({ ...at, done: 0, total: 0, etaMs: null }), '0/0 forks, 100 %, Hash.mix(7, 64)');
});

test('on a terminal it is drawn at once, then at most once a second, each over the last', (t) => {
  const { line, written, pass } = terminal(true);
  line.show('first');
  line.show('too soon');
  pass(999);
  line.show('too soon still');
  t.deepEqual(written, ['\r\x1b[Kfirst']);
  pass(1);
  line.show('second');
  t.deepEqual(written, ['\r\x1b[Kfirst', '\r\x1b[Ksecond']);
});

test('it never wraps: a long name is cut to the width', (t) => {
  const { line, written } = terminal(true, 30);
  line.show('x'.repeat(100));
  t.is(written[0], `\r\x1b[K${'x'.repeat(29)}`);
});

test('what was drawn is taken away once, and nothing else is', (t) => {
  const { line, written } = terminal(true);
  line.clear();
  t.deepEqual(written, []);
  line.show('text');
  line.clear();
  line.clear();
  t.deepEqual(written, ['\r\x1b[Ktext', '\r\x1b[K']);
});

test('off a terminal nothing is written, however long it takes', (t) => {
  const { line, written, pass } = terminal(false);
  for (let i = 0; i < 3; i++) {
    line.show('text');
    pass(5000);
  }
  line.clear();
  t.deepEqual(written, []);
});
