// 17: with several threads the first to start would measure an idle machine, and so would the last to stop. Threads therefore call
// the benchmark unmeasured until all have begun and until all are done. `syncIterations: false` switches that off; where
// threads disturb each other it then shows too good a number.
import { suite } from 'tscope';

const declare = (name: string, syncIterations: boolean) =>
  suite(name, {
    mode: 'thrpt',
    threads: 2,
    syncIterations,
    setup: () => ({ x: 1 }),
    benchmarks: {
      work(state, { blackhole }) {
        blackhole.consumeCPU(100);
        return ++state.x;
      },
    },
  });

export default [declare('Synchronised', true), declare('NotSynchronised', false)];
