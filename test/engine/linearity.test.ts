import test from 'ava';
import { checkLinearity, factsOf, judgeTurns, noInput, takesNothing } from '#lib/engine/linearity.js';

const alone = { independent: true, long: false };
const short = { independent: false, long: false };
const empty = { empty: 0.6, emptyFour: 1.7, call: 3.7 };

test('work that leaves no time behind is eliminated, or below the floor when it passed the barrier', (t) => {
  t.is(judgeTurns({ one: 0.61, four: 1.72, ...empty }, alone).verdict, 'eliminated');
  t.is(judgeTurns({ one: 0.61, four: 1.72, ...empty }, short).verdict, 'below-floor');
});

test('four calls of what is left of a body do not hide that the measured loop has none of it', (t) => {
  t.is(judgeTurns({ one: 0.61, four: 11.3, ...empty }, alone).verdict, 'eliminated');
});

test('a long body that costs no more than a call of an empty one is gone as well; a short one may cost that', (t) => {
  t.is(judgeTurns({ one: 3.8, four: 15, ...empty }, { independent: true, long: true }).verdict, 'eliminated');
  t.is(judgeTurns({ one: 3.8, four: 15, ...empty }, { independent: false, long: true }).verdict, 'below-floor');
  t.is(judgeTurns({ one: 3.8, four: 15, ...empty }, alone).verdict, 'linear');
});

test('a turn that costs a cycle or three more, whatever the number of copies, has no work in it', (t) => {
  // Measured with a folded string on V8 12.4, in a quiet and in a loaded minute.
  const quiet = { one: 1.357, four: 2.985, empty: 1.085, emptyFour: 2.712, call: 5.5 };
  const loaded = { one: 2.229, four: 4.08, empty: 1.404, emptyFour: 4.033, call: 7.837 };
  for (const times of [quiet, loaded, { ...quiet, four: 3.3 }, { ...quiet, emptyFour: 2.44 }]) {
    t.is(judgeTurns(times, alone).verdict, 'eliminated');
    t.is(judgeTurns(times, short).verdict, 'below-floor');
  }
  t.is(judgeTurns({ ...quiet, four: 4 }, alone).verdict, 'linear');
});

test('work that scales is linear', (t) => {
  t.is(judgeTurns({ one: 5.6, four: 21.7, ...empty }, alone).verdict, 'linear');
  // Four copies that no longer fit into one function cost more than four times: nothing was removed.
  t.is(judgeTurns({ one: 5.6, four: 41.7, ...empty }, alone).verdict, 'linear');
});

test('work that four copies share is not linear', (t) => {
  t.is(judgeTurns({ one: 5.6, four: 8, ...empty }, short).verdict, 'not-linear');
});

test('where each verdict begins', (t) => {
  // The floor is 0.15 ns, or a fifth of an empty turn of more than 0.75 ns.
  const at = (one: number, four: number, of = { empty: 0.5, emptyFour: 1.25, call: 3.75 }, facts = short) =>
    judgeTurns({ one, four, ...of }, facts);
  const slow = { empty: 2, emptyFour: 5, call: 15 };
  t.deepEqual([at(0.625, 2).verdict, at(0.6875, 4).verdict], ['below-floor', 'linear']);
  t.deepEqual([at(2.375, 9, slow).verdict, at(2.5, 9, slow).verdict], ['below-floor', 'linear']);
  // Less than the loop, and three more add nothing: 0.375 of an empty turn of 2.
  t.deepEqual([at(3.5, 7.625, slow).verdict, at(3.5, 7.75, slow).verdict], ['below-floor', 'not-linear']);
  t.is(at(4, 8.125, slow).verdict, 'not-linear', 'as much as the loop is there for sure');
  // Twice one is the edge: 4 ns of work in one copy.
  const exact = { empty: 1, emptyFour: 2, call: 9 };
  t.deepEqual(
    [at(5, 10, exact), at(5, 9.5, exact)],
    [
      { verdict: 'linear', ratio: 2 },
      { verdict: 'not-linear', ratio: 1.875 },
    ],
  );
  t.is(at(5, 18, exact).ratio, 4);
  // A long body is held against a call of 9 ns and the floor of 0.2.
  const long = { independent: false, long: true };
  t.deepEqual([at(9.125, 40, exact, long).verdict, at(9.25, 40, exact, long).verdict], ['below-floor', 'linear']);
});

test('clear work is measured once, anything else three times, and the medians are told', (t) => {
  let calls = 0;
  const check = (...turns: { one: number; four: number }[]) => {
    calls = 0;
    return checkLinearity(() => ({ ...turns[calls++]!, ...empty }), short);
  };
  const clear = { one: 5.6, four: 21.7 };
  t.is(check(clear).linearity.oneNs, 5.6);
  t.is(calls, 1);
  const shared = [
    { one: 5.6, four: 8 },
    { one: 5.4, four: 7 },
    { one: 5.8, four: 9 },
  ];
  const { linearity, finding, emptyOpNs } = check(...shared);
  t.is(calls, 3);
  t.deepEqual([linearity.oneNs, linearity.fourNs, linearity.emptyNs, emptyOpNs], [5.6, 8, 0.6, 0.6]);
  t.true(Math.abs(linearity.ratio! - (8 - 1.7) / 5) < 1e-12);
  t.deepEqual([finding?.id, finding?.severity, linearity.eliminated], ['not-linear', 'info', false]);
  t.regex(finding!.message, /cost only 1\.3 times one/);
  // Two unclear ones do not outvote a clear one at the end.
  t.is(check(shared[0]!, shared[1]!, clear).finding, null);
  const small = check({ one: 0.62, four: 1.7 }, { one: 0.61, four: 1.7 }, { one: 0.63, four: 1.7 });
  t.deepEqual([small.finding?.id, small.finding?.severity], ['below-floor', 'warning']);
  t.regex(small.finding!.message, /a turn takes 0\.62 ns with the body, 0\.60 ns without it\)/);
  // Work, but so little that it is asked three times: four floors of 0.15 over an empty turn.
  check({ one: 1.2, four: 4.1 }, { one: 1.2, four: 4.1 }, { one: 1.2, four: 4.1 });
  t.is(calls, 3);
  check({ one: 1.21, four: 4.1 });
  t.is(calls, 1);
});

test('of a body without arguments it is said, below 1 us, that its input may be constant', (t) => {
  t.is(noInput(() => 1, 999.9)?.id, 'no-input');
  t.is(
    noInput(() => 1, 1000),
    null,
  );
  t.is(
    noInput((x: number) => x, 5),
    null,
  );
  const long = Object.assign(() => 1, { toString: () => 'x'.repeat(900) });
  t.deepEqual(
    factsOf(long, false),
    { independent: true, long: false },
    'the text of the function, not what it says of itself',
  );
  t.deepEqual(factsOf(((x: number) => x) as never, false), { independent: false, long: false });
  t.deepEqual(factsOf(((x: number) => x) as never, true), { independent: true, long: false });
});

test('a suspicion that does not repeat is no finding', (t) => {
  const turns = [
    { one: 0.61, four: 1.72, ...empty },
    { one: 5.6, four: 21.7, ...empty },
  ];
  const { finding, linearity } = checkLinearity(() => turns.shift()!, alone);
  t.is(finding, null);
  t.false(linearity.eliminated);
});

test('one disturbed measurement of three hides nothing', (t) => {
  const gone = { one: 0.61, four: 1.72, ...empty };
  for (const disturbed of [
    { ...gone, one: 0.9, four: 5 },
    { ...gone, four: 11 },
    { ...gone, empty: 0.3 },
  ]) {
    for (let at = 0; at < 3; at++) {
      const turns = [gone, gone];
      turns.splice(at, 0, disturbed);
      t.is(checkLinearity(() => turns.shift()!, alone).finding?.id, 'eliminated', JSON.stringify(disturbed));
    }
  }
});

test('the finding says what was seen and what to change', (t) => {
  const { finding, linearity } = checkLinearity(() => ({ one: 0.61, four: 1.72, ...empty }), alone);
  t.is(finding?.id, 'eliminated');
  t.regex(finding!.message, /Return the result.*setup.*inputs/s);
  t.true(linearity.eliminated);
});

test('parameter lists are read with care', (t) => {
  const methods = {
    none() {
      return 1;
    },
    async later() {
      return 1;
    },
    state({ n }: { n: number }) {
      return n;
    },
    all(...args: unknown[]) {
      return args.length;
    },
    optional(state: unknown = 1) {
      return state;
    },
  };
  const ask = (fn: unknown) => takesNothing(fn as never);
  t.true(ask(() => 1));
  t.true(ask(async () => 1));
  t.true(
    ask(function named() {
      return 1;
    }),
  );
  t.true(ask(methods.none));
  t.true(ask(methods.later));
  t.false(ask(methods.state));
  t.false(ask(methods.all));
  t.false(ask(methods.optional));
  t.false(ask((x: number) => x));
});
