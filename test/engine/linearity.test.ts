import test from 'ava';
import { checkLinearity, judgeTurns, takesNothing } from '#lib/engine/linearity.js';

const empty = { empty: 0.6, emptyFour: 1.7 };

test('work that leaves no time behind is eliminated, or below the floor when it passed the barrier', (t) => {
  t.is(judgeTurns({ one: 0.61, four: 1.72, ...empty }, true).verdict, 'eliminated');
  t.is(judgeTurns({ one: 0.61, four: 1.72, ...empty }, false).verdict, 'below-floor');
});

test('work that scales is linear', (t) => {
  t.is(judgeTurns({ one: 5.6, four: 21.7, ...empty }, true).verdict, 'linear');
  // Four copies that no longer fit into one function cost more than four times: nothing was removed.
  t.is(judgeTurns({ one: 5.6, four: 41.7, ...empty }, true).verdict, 'linear');
});

test('work that four copies share is not linear', (t) => {
  t.is(judgeTurns({ one: 5.6, four: 8, ...empty }, false).verdict, 'not-linear');
});

test('a suspicion that does not repeat is no finding', (t) => {
  const turns = [
    { one: 0.61, four: 1.72, ...empty },
    { one: 5.6, four: 21.7, ...empty },
  ];
  const { finding, linearity } = checkLinearity(() => turns.shift()!, true);
  t.is(finding, null);
  t.false(linearity.eliminated);
});

test('the finding says what was seen and what to change', (t) => {
  const { finding, linearity } = checkLinearity(() => ({ one: 0.61, four: 1.72, ...empty }), true);
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
