import test from 'ava';
import { allowedCpus, type Topology, topology } from '#lib/cpu/index.js';
import { examplesPrintWhatThePageSays } from '../support/page.js';

const machine = topology();
/** The page shows a plain machine: reasons and notes of others read differently. */
const plain = ({ cores, cpus, isolated, nodes }: Topology) =>
  cores.every((core) => core.cpus.length === 1) &&
  new Set(cpus.map(({ capacity, kind }) => `${capacity} ${kind}`)).size === 1 &&
  cpus.every(({ interrupts }) => interrupts !== null) &&
  (isolated?.length ?? 0) === 0 &&
  nodes.length <= 1;
const usable = allowedCpus()?.join() === '0,1' && machine.ok && plain(machine.topology);
if (!usable) console.log('# the examples of docs/cpu.md need Linux, the addon and a machine like the one on the page');

(usable ? test : test.skip)('the examples of docs/cpu.md print what the page says, numbers aside', async (t) => {
  const { mkdtemp, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const folder = await mkdtemp(join(tmpdir(), 'tscope-docs-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await examplesPrintWhatThePageSays(t, 'cpu', {
    env: { ...process.env, TSCOPE_LOCK_DIR: join(folder, 'cpus') },
    wordsOnly: true,
  });
});
