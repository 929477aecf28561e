// Samples a CPU until stdin ends, then prints the result. argv: cpu, fifo|normal, spin|sleep.
import { writeSync } from 'node:fs';
import { start } from '#lib/jitter/index.js';

const [, , cpu, policy, kind] = process.argv;
const sampler = start({
  ...(cpu === 'any' ? {} : { cpu: Number(cpu) }),
  fifo: policy === 'fifo',
  kind: kind as 'spin' | 'sleep',
});
if (!sampler.ok) {
  writeSync(1, `${JSON.stringify(sampler)}\n`);
  process.exit(0);
}
writeSync(1, '{"ok":true}\n');
process.stdin.resume().on('end', () => sampler.stop());
const { gaps, ...rest } = await sampler.result();
const plain = { wallMs: [...gaps.wallMs], lenNs: [...gaps.lenNs] };
writeSync(1, `${JSON.stringify({ ...rest, gaps: plain })}\n`);
