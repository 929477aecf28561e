/** Measuring fixture files in real forks. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type LatencyFlags, runLatency } from '#lib/cli/commands/latency.js';
import { type MeasureOptions, measureLatency } from '#lib/latency/host/measure.js';
import type { LatencyData, LatencyRun } from '#lib/latency/model.js';

export const ROOT = join(import.meta.dirname, '../../..');
export const fixture = (name: string) => join(ROOT, 'test/latency/fixtures', `${name}.latency.ts`);
export const hasAddon = existsSync(join(ROOT, 'build/Release/tscope.node')) && process.env.TSCOPE_NO_ADDON !== '1';

export async function measureFile(
  name: string,
  options: Partial<MeasureOptions> = {},
): Promise<readonly LatencyData[]> {
  const measured = await measureLatency({ file: fixture(name), cwd: ROOT, ...options });
  if (!measured.ok) throw new Error(`${measured.failure.message}\n${measured.output}`);
  return measured.results;
}

/** Events as kept with `keepSamples`, in the order they ended. */
export function samplesOf(run: LatencyRun): { planned: number; start: number; end: number }[] {
  const list: { planned: number; start: number; end: number }[] = [];
  for (let i = 0; i < run.samples!.length; i += 3) {
    list.push({ planned: run.samples![i]!, start: run.samples![i + 1]!, end: run.samples![i + 2]! });
  }
  return list;
}

/** The command with its output collected. */
export async function command(file: string, flags: LatencyFlags, signal: AbortSignal = new AbortController().signal) {
  let [out, err] = ['', ''];
  const code = await runLatency(file, flags, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    interactive: false,
    columns: 120,
    cwd: ROOT,
    env: process.env,
    signal,
  });
  return { code, out, err };
}
