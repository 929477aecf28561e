// 05: setup and teardown. Both may be asynchronous; neither is timed. Teardown is the place to check that the benchmark did what it
// should: what it throws fails the trial, and no score is printed for work that went wrong.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'tscope';

export default suite('StateFixtures', {
  unit: 'us',
  async setup() {
    const folder = await mkdtemp(join(tmpdir(), 'tscope-sample-'));
    const file = join(folder, 'data.txt');
    await writeFile(file, 'x'.repeat(4096));
    return { folder, file, bytes: 0, reads: 0 };
  },
  async teardown({ folder, bytes, reads }) {
    await rm(folder, { recursive: true });
    if (bytes !== 4096 * reads) throw new Error(`read ${bytes} bytes in ${reads} reads`);
  },
  benchmarks: {
    async readFile(state) {
      const text = await readFile(state.file, 'utf8');
      state.bytes += text.length;
      state.reads++;
    },
  },
});
