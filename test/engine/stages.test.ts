import test from 'ava';
import { fixedWarmup, isTop, steadyWarmup, type Window, windowMs } from '#lib/engine/stages.js';

const window = (nsPerInvocation: number | null, extra: Partial<Window> = {}): Window => ({
  nsPerInvocation,
  wallMs: 50,
  loop: 'turbofan',
  body: 'turbofan',
  restless: false,
  ...extra,
});
const stage = () => steadyWarmup(200, 1500);
const many = (count: number, speed: number, extra?: Partial<Window>) =>
  Array.from({ length: count }, () => window(speed, extra));

test('fixed warm-up is exactly as many windows as asked', (t) => {
  t.is(fixedWarmup(0).next([]), 'fixed');
  t.is(fixedWarmup(2).next([window(1)]), 'again');
  t.is(fixedWarmup(2).next([window(1), window(900)]), 'fixed');
});

test('steady needs the minimum time, however equal the windows are', (t) => {
  t.is(stage().next(many(3, 10)), 'again');
  t.is(stage().next(many(4, 10)), 'steady');
});

test('steady needs the last three windows within 5 percent', (t) => {
  t.is(stage().next([window(10), window(10), window(10), window(10.6)]), 'again');
  t.is(stage().next([window(900), window(10), window(10.3), window(10.45)]), 'steady');
  t.is(stage().next([window(10), window(10), window(null), window(10)]), 'again');
  const [least, edge, beyond] = [window(100), window(105), window(105.01)];
  t.is(stage().next([least, least, least, edge]), 'steady');
  t.is(stage().next([least, least, least, beyond]), 'again');
  t.is(steadyWarmup(100, 1500).next([least, least]), 'again', 'two windows are not three');
  t.is(steadyWarmup(100, 1500).next([least, least, least]), 'steady');
  t.is(stage().next([window(null), window(null), window(null), window(null)]), 'again', 'nothing was measured');
});

test('a plateau of a lower tier is not steady, however long it lasts', (t) => {
  for (const loop of ['interpreter', 'baseline', 'maglev'] as const) {
    t.is(stage().next(many(20, 10, { loop })), 'again');
  }
});

test('compilation under way is not steady', (t) => {
  t.is(stage().next([...many(10, 10), window(10, { restless: true })]), 'again');
  t.is(stage().next([...many(10, 10), window(10, { restless: true }), ...many(2, 10)]), 'again');
  t.is(stage().next([...many(10, 10), window(10, { restless: true }), ...many(3, 10)]), 'steady');
});

test('tiers do not decide for long invocations, nor when they cannot be seen', (t) => {
  t.is(stage().next(many(4, 200_000, { loop: 'interpreter', body: 'interpreter' })), 'steady');
  t.is(stage().next(many(4, 10, { loop: null, body: null })), 'steady');
  const low = { loop: 'baseline', body: 'baseline' } as const;
  t.deepEqual(
    [99_999, 100_000].map((ns) => stage().next(many(4, ns, low))),
    ['again', 'steady'],
  );
  t.is(stage().next([...many(3, 10, low), window(10)]), 'steady', 'the tier at the end counts');
  t.is(stage().next([...many(3, 10), window(10, low)]), 'again');
  t.deepEqual([isTop('turbofan'), isTop('optimized'), isTop('maglev'), isTop(null)], [true, true, false, false]);
});

test('the cap ends warm-up by wall time', (t) => {
  const alternating = Array.from({ length: 30 }, (_, i) => window(i % 2 ? 10 : 20));
  t.is(stage().next(alternating.slice(0, 29)), 'again');
  t.is(stage().next(alternating), 'cap');
  t.is(stage().next([window(5), window(10, { wallMs: 1500 })]), 'cap');
});

test('at least four windows fit into the minimum', (t) => {
  t.is(windowMs(200), 50);
  t.is(windowMs(4000), 100);
  t.is(windowMs(0), 5);
});
