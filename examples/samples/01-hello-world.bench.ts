// 01: the harness has a cost, and the smallest thing that can be measured is that cost. An empty benchmark is what every other
// number stands on: nothing that scores about as much as `empty` has been measured. The finding [below-floor] or [eliminated] says so
// without being asked; here it is right, because there is no work.
import { suite } from 'tscope';

export default suite('HelloWorld', {
  benchmarks: {
    empty() {},
    one: (_state) => 1,
  },
});
