// 16: what the optimiser may do is part of the question. Arguments for the node of the forks are an option like any other, so
// that the same body can be measured with and without inlining, or in the interpreter alone. They are recorded with every fork.
// Do not publish numbers made this way as the speed of the code: they answer "what does the optimiser gain here?".
import { suite } from 'tscope';

const square = (x: number) => x * x;
const body = ({ x }: { x: number }) => square(x) + square(x + 1);

export default suite('CompilerControl', {
  params: { x: [3] },
  benchmarks: {
    asUsual: body,
    withoutInlining: { nodeArgs: ['--no-turbo-inlining'], run: ({ x }) => square(x) + square(x + 1) },
    interpreted: { nodeArgs: ['--no-opt', '--no-sparkplug'], run: ({ x }) => square(x) + square(x + 1) },
  },
});
