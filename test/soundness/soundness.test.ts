import { spawn } from 'node:child_process';
import { join } from 'node:path';
import test from 'ava';
import { onEveryNode, root } from '../engine/support/nodes.js';

interface Case {
  readonly group: 'sound' | 'captured' | 'copies';
  readonly name: string;
  readonly kind: string;
  readonly ks: readonly number[];
  readonly times: readonly number[];
  readonly reference: readonly number[];
  readonly ratio: number;
  readonly flags: readonly (string | null)[];
}

function drive(node: string, shape: string): Promise<{ cases: Case[]; version: string; stderr: string }> {
  const driver = join(root, 'test/soundness/fixtures/driver.mjs');
  const child = spawn(node, [driver, shape], { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', () => {
      const lines = out.split('\n').filter((line) => line !== '');
      const [version, ...cases] = lines.map((line) => JSON.parse(line));
      resolve({ cases, version, stderr });
    });
  });
}

const show = (each: Case) =>
  `${each.kind} ${each.name}: slope ${each.ratio.toFixed(3)} of the reference; ` +
  `ns at k=${each.ks.join('/')}: ${each.times.map((ns) => ns.toFixed(2)).join('/')}, ` +
  `reference ${each.reference.map((ns) => ns.toFixed(2)).join('/')}`;

const KINDS = 7;
let flagged = 0;
let sound = 0;
onEveryNode(test, (nodeName, node) => {
  // avgt and thrpt run the same plain loop; only their arithmetic differs.
  for (const shape of ['plain', 'sample'] as const) {
    test.serial(`${nodeName}, ${shape}: time against work keeps the reference slope within 15 %`, async (t) => {
      t.timeout(240_000);
      const { cases, version, stderr } = await drive(node, shape);
      t.log(version);
      const proven = cases.filter(({ group }) => group === 'sound');
      t.is(proven.length, KINDS * (shape === 'plain' ? 5 : 2), stderr);
      for (const each of proven) {
        t.true(each.ratio > 0.85 && each.ratio < 1.15, show(each));
        sound += each.flags.length - 1;
        const wrong = each.flags.filter((flag) => flag === 'eliminated' || flag === 'below-floor');
        flagged += wrong.length;
        if (wrong.length > 0) t.log('false flag', each.flags, show(each));
      }
      if (shape === 'sample') return;

      const copied = cases.filter(({ group }) => group === 'copies');
      t.is(copied.length, 6);
      for (const each of copied) {
        t.true(
          each.ratio > 0.7, // 0.29 when copies share the work of one (planted)
          `1, 4, 16 copies of ${each.kind} from ${each.name}: ${each.times.map((ns) => ns.toFixed(2)).join(', ')} ns each`,
        );
      }
      // A constant or a captured variable may be folded: then the work is gone and said to be gone.
      const captured = cases.filter(({ group }) => group === 'captured');
      t.is(captured.length, KINDS * 2);
      for (const each of captured) {
        const kept = each.ratio > 0.85 && each.ratio < 1.15;
        const told = each.flags[each.flags.length - 1] !== null;
        t.true(kept || told, `kept or flagged: ${show(each)}, ${each.flags}`);
      }
      for (const kind of ['int', 'double', 'string']) {
        const constant = captured.find((each) => each.kind === kind && each.name === 'constant')!;
        t.true(constant.ratio < 0.5, `V8 folds a constant ${kind}: ${show(constant)}`);
        t.true(
          ['eliminated', 'below-floor', 'not-linear'].includes(constant.flags[constant.flags.length - 1]!),
          `${constant.flags}: ${show(constant)}`,
        );
      }
    });
  }
});

test.serial('false flags over the sound cases', (t) => {
  t.log(`${flagged} of ${sound} sound bodies flagged`);
  t.true(sound > 0);
  t.true(flagged / sound < 0.01, `${flagged} of ${sound}`);
});
