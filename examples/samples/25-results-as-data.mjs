// 25: results are data. `run` measures from inside a program and returns what the result file holds, so that a search over options
// is a loop: here, which size of V8's young generation suits a benchmark that allocates. Run it with `node 25-results-as-data.mjs`.
import { run } from 'tscope';

const file = new URL('./26-batch-size.bench.ts', import.meta.url);
const short = { forks: Number(process.env.FORKS ?? 3), keep: false };
for (const megabytes of [1, 16]) {
  const { result } = run(file, { ...short, nodeArgs: [`--max-semi-space-size=${megabytes}`] });
  for (const { suite, benchmark, score } of (await result).trials) {
    console.log(`${suite}.${benchmark} with ${megabytes} MiB: ${score?.value.toFixed(0)} ${score?.unit}`);
  }
}
