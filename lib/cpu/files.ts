import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Small files of /proc and /sys below a root, so that recorded machines can stand in for the real one. */
export interface Files {
  /** Text without the final newline; null when the file is missing or unreadable. */
  text(path: string): string | null;
  /** Names in a folder; empty when it is missing. */
  list(path: string): string[];
}

/** Files of the file system below `root` (`/` = this machine). */
export function diskFiles(root: string): Files {
  return {
    text(path) {
      try {
        return readFileSync(join(root, path), 'utf8').trimEnd();
      } catch {
        return null;
      }
    },
    list(path) {
      try {
        return readdirSync(join(root, path));
      } catch {
        return [];
      }
    },
  };
}

/** A kernel CPU list such as `0-3,8`; null when the text is none. */
export function parseCpuList(text: string): number[] | null {
  const cpus: number[] = [];
  for (const part of text.trim().split(',')) {
    if (part === '' && text.trim() === '') return [];
    const match = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (last < first || last >= 8192) return null;
    for (let cpu = first; cpu <= last; cpu++) cpus.push(cpu);
  }
  return [...new Set(cpus)].sort((a, b) => a - b);
}
