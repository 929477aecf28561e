// 06: the level of a fixture is part of what is measured. The same body pushes to a list that lives for the whole trial in one suite
// and is emptied before each iteration in the other: the first measures an ever longer list, the second always the same.
import { suite } from 'tscope';

const push = (state: { list: number[] }) => state.list.push(1);

export default [
  suite('LevelTrial', {
    // Kept from eating all memory, or the trial would end there.
    setup: () => ({ list: [] as number[] }),
    benchmarks: {
      push: (state) => {
        if (state.list.length > 5_000_000) state.list = [];
        return push(state);
      },
    },
  }),
  suite('LevelIteration', {
    setup: () => ({ list: [] as number[] }),
    setupIteration: (state) => {
      state.list = [];
    },
    benchmarks: { push },
  }),
];
