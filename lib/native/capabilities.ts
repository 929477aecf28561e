import { loadAddon } from './load.js';

/** One thing this process can or cannot do natively. */
export interface Capability {
  /** `addon`, or `<concern>` / `<concern>.<detail>`. */
  readonly name: string;
  readonly available: boolean;
  /** Why not, as one sentence; null when available. */
  readonly reason: string | null;
}

/** Concerns of native/core, in the order they are listed. */
const CONCERNS = ['clock', 'cpu', 'jitter', 'counters', 'pacer', 'histogram'] as const;

/**
 * What the addon can do in this process. A concern's object may have `capabilities()` that lists details of its own
 * (names without the concern's prefix).
 */
export function capabilities(): Capability[] {
  const { addon, reason } = loadAddon();
  const list: Capability[] = [{ name: 'addon', available: addon !== null, reason }];
  for (const name of CONCERNS) {
    const concern = (addon as Record<string, { capabilities?: () => Capability[] }> | null)?.[name];
    const missing =
      addon === null ? reason : `this build of the addon has no ${name}: rebuild it (\`npm run build:addon\`)`;
    list.push({ name, available: concern !== undefined, reason: concern ? null : missing });
    for (const detail of concern?.capabilities?.() ?? []) list.push({ ...detail, name: `${name}.${detail.name}` });
  }
  return list;
}
