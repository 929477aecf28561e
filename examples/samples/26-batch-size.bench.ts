// 26: work without a steady state. Inserting at the front of a list takes longer the longer the list is, so "the time of an insert"
// depends on how many were made: an iteration of a fixed time would measure whatever length it got to. Single shot with a batch
// measures a fixed amount of work instead, here 5000 inserts into an empty list, prepared before each shot.
import { suite } from 'tscope';

export default suite('BatchSize', {
  mode: 'ss',
  unit: 'us',
  batchSize: 5000,
  warmupIterations: 3,
  iterations: 5,
  setup: () => ({ list: [] as number[] }),
  setupIteration: (state) => {
    state.list = [];
  },
  benchmarks: {
    atTheFront: ({ list }) => list.unshift(1),
    atTheEnd: ({ list }) => list.push(1),
  },
});
