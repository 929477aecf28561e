import { diskFiles, type Files, parseCpuList } from './files.js';

/** What the result model's Environment says about the machine; every value is null when it cannot be had. */
export interface MachineFacts {
  readonly cpuModel: string | null;
  /** CPUID's hypervisor bit, as the kernel lists it. */
  readonly hypervisor: boolean | null;
  /** cpufreq governor; several, joined by `,`, when CPUs differ. */
  readonly governor: string | null;
  readonly turbo: 'on' | 'off' | null;
  /** `on`, `off` (present but idle or disabled) or `notsupported`. */
  readonly smt: string | null;
  /** isolcpus; empty = none are isolated. */
  readonly isolatedCpus: readonly number[] | null;
  readonly nohzFullCpus: readonly number[] | null;
  readonly clocksource: string | null;
  /** PSI cpu `some avg10`: percent of the last 10 s in which some task waited for a CPU. */
  readonly cpuPressure: number | null;
  /** cgroup CPU quota in CPUs, the smallest on the way to the root; null = none (or unknown). */
  readonly cpuQuota: number | null;
}

/**
 * Facts about the machine from /proc and /sys below `root` (`/` = this machine; another folder = a recorded one).
 * Works without the addon; off Linux everything is null. Never throws.
 */
export function machineFacts(root = '/'): MachineFacts {
  const files = diskFiles(root);
  const cpuinfo = files.text('proc/cpuinfo');
  return {
    cpuModel: cpuinfo === null ? null : (/^model name\s*:\s*(.+)$/m.exec(cpuinfo)?.[1] ?? null),
    hypervisor: hypervisor(cpuinfo),
    governor: governor(files),
    turbo: turbo(files),
    smt: smt(files),
    isolatedCpus: cpuList(files, 'sys/devices/system/cpu/isolated'),
    nohzFullCpus: cpuList(files, 'sys/devices/system/cpu/nohz_full'),
    clocksource: files.text('sys/devices/system/clocksource/clocksource0/current_clocksource') || null,
    cpuPressure: pressure(files.text('proc/pressure/cpu')),
    cpuQuota: cpuQuota(files),
  };
}

/** Only x86 kernels list a `flags` line with that bit; elsewhere its absence says nothing. */
function hypervisor(cpuinfo: string | null): boolean | null {
  const flags = cpuinfo === null ? null : /^flags\s*:\s*(.+)$/m.exec(cpuinfo);
  return flags ? ` ${flags[1]} `.includes(' hypervisor ') : null;
}

function governor(files: Files): string | null {
  const found = new Set<string>();
  for (const name of files.list('sys/devices/system/cpu')) {
    if (!/^cpu\d+$/.test(name)) continue;
    const text = files.text(`sys/devices/system/cpu/${name}/cpufreq/scaling_governor`);
    if (text) found.add(text);
  }
  return found.size === 0 ? null : [...found].sort().join(',');
}

function turbo(files: Files): 'on' | 'off' | null {
  const off = files.text('sys/devices/system/cpu/intel_pstate/no_turbo');
  if (off === '0' || off === '1') return off === '0' ? 'on' : 'off';
  const boost = files.text('sys/devices/system/cpu/cpufreq/boost');
  return boost === '1' ? 'on' : boost === '0' ? 'off' : null;
}

function smt(files: Files): string | null {
  const active = files.text('sys/devices/system/cpu/smt/active');
  const control = files.text('sys/devices/system/cpu/smt/control');
  if (active === '1') return 'on';
  if (control === 'notsupported' || control === 'notimplemented') return 'notsupported';
  return active === '0' ? 'off' : null;
}

/** The kernel writes `(null)` for an empty nohz_full. */
function cpuList(files: Files, path: string): number[] | null {
  const text = files.text(path);
  return text === null ? null : text.trim() === '(null)' ? [] : parseCpuList(text);
}

function pressure(text: string | null): number | null {
  const match = text === null ? null : /^some avg10=([\d.]+)/m.exec(text);
  return match ? Number(match[1]) : null;
}

function cpuQuota(files: Files): number | null {
  const cgroups = files.text('proc/self/cgroup');
  if (cgroups === null) return null;
  const quotas: number[] = [];
  for (const line of cgroups.split('\n')) {
    const match = /^(\d+):([^:]*):(\/.*)$/.exec(line);
    if (!match) continue;
    const [, id, controllers, path] = match as unknown as [string, string, string, string];
    const v2 = id === '0' && controllers === '';
    if (!v2 && !controllers.split(',').includes('cpu')) continue;
    for (const folder of foldersUp(files, v2 ? null : 'cpu', path)) {
      const quota = v2 ? quotaV2(files, folder) : quotaV1(files, folder);
      if (quota !== null) quotas.push(quota);
    }
  }
  return quotas.length === 0 ? null : Math.min(...quotas);
}

/** `max 100000` or `150000 100000` (us of CPU time per us of wall time). */
function quotaV2(files: Files, folder: string): number | null {
  const [quota, period] = (files.text(`${folder}/cpu.max`) ?? '').split(' ').map(Number);
  return quota! > 0 && period! > 0 ? quota! / period! : null;
}

function quotaV1(files: Files, folder: string): number | null {
  const quota = Number(files.text(`${folder}/cpu.cfs_quota_us`) ?? Number.NaN);
  const period = Number(files.text(`${folder}/cpu.cfs_period_us`) ?? Number.NaN);
  return quota > 0 && period > 0 ? quota / period : null; // -1 = none
}

/**
 * A cgroup's folder and those of its ancestors, up to where its hierarchy is mounted. The mount may show only a part of
 * the hierarchy (a container sees its own cgroup as the root), so the mount's own root is taken off the path.
 */
function* foldersUp(files: Files, controller: string | null, path: string): Generator<string> {
  for (const line of (files.text('proc/self/mountinfo') ?? '').split('\n')) {
    const [before, after] = line.split(' - ');
    const [, , , mountRoot, mountPoint] = (before ?? '').split(' ');
    const [type, , options] = (after ?? '').split(' ');
    if (mountRoot === undefined || mountPoint === undefined) continue;
    if (controller === null ? type !== 'cgroup2' : type !== 'cgroup' || !options?.split(',').includes(controller))
      continue;
    const base = mountRoot === '/' ? '' : mountRoot;
    let rest = path === base ? '' : path.startsWith(`${base}/`) ? path.slice(base.length) : '';
    if (rest === '/') rest = '';
    for (;;) {
      yield `${mountPoint}${rest}`;
      if (rest === '') return;
      rest = rest.slice(0, rest.lastIndexOf('/'));
    }
  }
}
