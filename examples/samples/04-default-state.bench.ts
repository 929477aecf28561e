// 04: the least ceremony. Without `setup` the params are the state, and without params it is an empty object. Variables of the file
// work too, but the optimiser may take them for constants (sample 10), so what the work depends on belongs into the state.
import { suite } from 'tscope';

let calls = 0;

export default suite('DefaultState', {
  params: { x: [2, 3] },
  benchmarks: {
    fromParams: ({ x }) => Math.sqrt(x),
    // Safe only because it changes with every call.
    fromTheFile: () => Math.sqrt(calls++),
  },
});
