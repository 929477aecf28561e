/** Which files of the user a benchmark file leads to: what is measured is theirs as much as its own. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files followed from one benchmark file at most: an entry that pulls in more is not written by hand. */
const MOST = 2000;

/** Literal specifiers of import, export ... from, import(), require() and new URL(). A false hit in a comment costs one more file to watch. */
const SPECIFIER = /\b(?:from|import|require\s*\(|import\s*\(|new\s+URL\s*\()\s*(['"])([^'"\n]+)\1/g;

/** Extensions of files that can import others. */
const CODE = /\.[cm]?[jt]sx?$/;

/** This package: its own files do not change under a run, and an entry imports suite() from it. */
const OWN = fileURLToPath(new URL('..', import.meta.url));

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** What a relative specifier may name, in the order in which the loader and require try. */
function candidates(path: string): string[] {
  const typed = /^(.*)\.(m?)js$/.exec(path);
  const extensions = ['.ts', '.js', '.json', '.cjs', '.mjs', '.node', `${sep}index.js`];
  return [path, ...(typed ? [`${typed[1]}.${typed[2]}ts`] : []), ...extensions.map((extension) => path + extension)];
}

/** The file that `specifier` in `from` leads to; null for what Node brings, what is installed, and what cannot be found. */
function target(specifier: string, from: string): string | null {
  if (specifier.startsWith('node:')) return null;
  let found: string | undefined;
  if (/^(?:\.{1,2}\/|\/|file:)/.test(specifier)) {
    const bare = specifier.replace(/[?#].*$/s, '');
    const path = bare.startsWith('file:') ? fileURLToPath(bare) : resolve(dirname(from), decodeURI(bare));
    found = candidates(path).find(isFile);
  } else {
    // A workspace package or a name from the `imports` of package.json; what is installed lies below node_modules.
    found = createRequire(from).resolve(specifier);
  }
  if (found === undefined || !found.includes(sep)) return null;
  const real = realpathSync(found);
  return real.includes(`${sep}node_modules${sep}`) || real.startsWith(OWN) ? null : real;
}

/**
 * Files that `file` imports, directly and through others, by reading their text: the same in every loader mode, and without running anything.
 *
 * Installed packages (below node_modules) are left out, and what is named only at run time cannot be seen.
 *
 * @param file Absolute path.
 * @returns Absolute real paths without `file` itself, in the order found; at most 2000.
 */
export function importedFiles(file: string): string[] {
  const found = new Set<string>([file]);
  for (const from of found) {
    if (!CODE.test(from)) continue;
    let text: string;
    try {
      text = readFileSync(from, 'utf8');
    } catch {
      continue;
    }
    for (const [, , specifier] of text.matchAll(SPECIFIER)) {
      if (found.size > MOST) break;
      try {
        const path = target(specifier!, from);
        if (path !== null) found.add(path);
      } catch {
        // Not resolvable from here: if it is really imported, the fork says so better than this could.
      }
    }
  }
  found.delete(file);
  return [...found];
}
