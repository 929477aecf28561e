import test from 'ava';
import { checkLinearity, judgeTurns, takesNothing } from '#lib/engine/linearity.js';

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
