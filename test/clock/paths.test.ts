import test from 'ava';
import { chooseReads, type Host, type Reads } from '#lib/clock/paths.js';

/** A surface and plain reads on one made-up counter. `fast` says what the accelerated reads do. */
function setup(fast: { step?: number; slow?: boolean; claimed?: boolean; reason?: string }) {
  const slot = new Float64Array(8);
  let tick = 0;
  const base: Reads = { read: () => void (slot[0] = ++tick), readOrdered: () => void (slot[0] = ++tick) };
  const read = () => {
    slot[0] = tick += fast.step ?? 1;
    if (fast.slow) slot[7]!++;
  };
  const accelerated = { read, readOrdered: read };
  let asked = 0;
  const surface = {
    openFast: () => {
      asked++;
      const claimed = fast.claimed ?? true;
      return fast.reason ? { claimed, reason: fast.reason } : { claimed, reason: null, ...accelerated };
    },
  } as never;
  const host = (more: Partial<Host> = {}): Host => ({
    enabled: true,
    plainNode: true,
    addonPath: '/a.node',
    ffi: () => undefined,
    ...more,
  });
  const ffi = () => ({
    DynamicLibrary: class {
      getFunction = (name: string) => (name.startsWith('tscope_read') ? read : () => {});
    },
  });
  return {
    choose: (more?: Partial<Host>) => chooseReads(surface, slot, base, host(more)),
    base,
    ffi,
    asked: () => asked,
  };
}

test('off unless asked for: V8 is not even looked at', (t) => {
  const { choose, base, asked } = setup({});
  const { reads, info } = choose({ enabled: false });
  t.is(reads, base);
  t.deepEqual(info, { path: 'napi', refused: [] });
  t.is(asked(), 0);
});

test('ffi first, then the V8 fast call, each with its reason when it is not taken', (t) => {
  const { choose, ffi } = setup({});
  t.deepEqual(choose({ ffi: ffi as never }).info, { path: 'ffi', refused: [] });
  const { info } = choose();
  t.is(info.path, 'v8-fast');
  t.is(info.refused[0]!.path, 'ffi');
  const blocked = choose({
    ffi: () => {
      throw new Error('Access restricted');
    },
  });
  t.is(blocked.info.refused[0]!.reason, 'Access restricted');
  t.is(blocked.info.path, 'v8-fast');
});

test('not on Electron and the like', (t) => {
  const { choose, asked } = setup({});
  t.is(choose({ plainNode: false }).info.path, 'napi');
  t.is(asked(), 0);
});

test('a V8 that is not on the list', (t) => {
  const { info } = setup({ reason: 'this V8 is not one of those tested' }).choose();
  t.is(info.path, 'napi');
  t.deepEqual(info.refused[1], { path: 'v8-fast', reason: 'this V8 is not one of those tested' });
});

test('the self-test turns away reads that stand still, run backwards or are never optimised', (t) => {
  for (const step of [-5, Number.NaN]) {
    const { info } = setup({ step }).choose();
    t.is(info.path, 'napi');
    t.regex(info.refused[1]!.reason, /do not lie between/);
  }
  const slow = setup({ slow: true }).choose();
  t.is(slow.info.path, 'napi');
  t.regex(slow.info.refused[1]!.reason, /optimiser did not take/);
});
