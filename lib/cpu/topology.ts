import { type Outcome, unsupported, withoutAddon } from '../native/outcome.js';
import type { RawTopology } from '../native/surface/cpu.js';
import { surface, surfaceReason } from './addon.js';

/**
 * What the machine is made of. CPU numbers are the kernel's logical CPUs; `null` = the machine does not say.
 *
 * The parser is native/core's, so that C++ harnesses have the same one; without the addon there is no topology, only the
 * single facts of {@link machineFacts}.
 */
export interface Topology {
  online: readonly number[];
  cpus: readonly CpuInfo[];
  /** Physical cores by lowest CPU; `cpus` of one core are SMT siblings. `id` is unique only within its package. */
  cores: readonly { package: number | null; id: number | null; cpus: readonly number[] }[];
  /** Each cache once, with the CPUs that share it. */
  caches: readonly {
    level: number;
    /** `Data`, `Instruction` or `Unified`. */
    type: string;
    bytes: number | null;
    lineBytes: number | null;
    cpus: readonly number[];
  }[];
  /** NUMA nodes. */
  nodes: readonly { node: number; cpus: readonly number[] }[];
  /** isolcpus: the scheduler puts nothing there by itself. */
  isolated: readonly number[] | null;
  /** nohz_full: no timer tick while one thread runs. */
  nohzFull: readonly number[] | null;
  /** CPUs the process' main thread may use now. */
  allowed: readonly number[] | null;
  /** CPUs its control group may use. */
  cpuset: readonly number[] | null;
  /** CPUs per unit of time its control group may use, the smallest limit on the way up. */
  quota: number | null;
  /** Are siblings in use (SMT on)? */
  smt: boolean | null;
}

/** One logical CPU and where it sits. */
export interface CpuInfo {
  cpu: number;
  /** Index into {@link Topology.cores}. */
  core: number;
  /** Socket. */
  package: number | null;
  /** NUMA node. */
  node: number | null;
  /** Relative computing capacity; 1024 = the strongest CPU of the machine. */
  capacity: number | null;
  maxKhz: number | null;
  /** On hybrid x86 CPUs. */
  kind: 'performance' | 'efficiency' | null;
  /** Interrupts of devices handled here since boot. */
  interrupts: number | null;
}

// The addon's object is the public one; this fails to compile when they differ.
const asTopology = (raw: RawTopology): Topology => raw;

/**
 * The topology of the machine below `root` (`/` = this one; another folder = a recorded one). Refused without the addon,
 * and where there is no /sys (macOS, Windows).
 */
export function topology(root = '/'): Outcome<{ topology: Topology }> {
  const native = surface();
  if (!native) return withoutAddon('topology', surfaceReason());
  const raw = native.topology(root);
  if (typeof raw !== 'number') return { ok: true, topology: asTopology(raw) };
  if (root === '/' && process.platform !== 'linux') return unsupported('topology', process.platform);
  return {
    ok: false,
    errno: raw,
    code: 'ENOENT',
    message: `topology: there is no list of online CPUs in ${root === '/' ? '/sys' : `${root}/sys`}`,
    hint: 'Mount sysfs on /sys (a container may hide it), or pass the root of a recorded machine.',
  };
}
