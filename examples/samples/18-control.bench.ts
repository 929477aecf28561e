// 18: a thread that waits for another one inside its invocation would wait for ever once that one has stopped. `control.stop` is set
// when the iteration is over, and between iterations; whoever spins must look at it.
import { suite } from 'tscope';

const turnTo =
  (mine: number) =>
  (state: { ball: Int32Array }, { control }: { control: { stop: boolean } }) => {
    while (!control.stop && Atomics.load(state.ball, 0) !== mine);
    Atomics.store(state.ball, 0, 1 - mine);
  };

export default suite('Control', {
  mode: 'thrpt',
  shared: () => new SharedArrayBuffer(4),
  setup: (_params, memory) => ({ ball: new Int32Array(memory) }),
  benchmarks: { ping: turnTo(0), pong: turnTo(1) },
  groups: { rally: { ping: 1, pong: 1 } },
});
