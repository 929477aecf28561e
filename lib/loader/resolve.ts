import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * TypeScript's rule for relative imports: `./x.js` means `./x.ts` where only the latter exists, `./x.mjs` means `./x.mts`.
 * Everything else is resolved by Node alone. Returns the specifier to resolve.
 */
export function typeScriptSpecifier(specifier: string, parentUrl: string | undefined): string {
  if (!/^\.{1,2}\//.test(specifier) || !parentUrl?.startsWith('file:')) return specifier;
  const parts = /^([^?#]*)\.(m?)js([?#].*)?$/.exec(specifier);
  if (!parts) return specifier;
  const replaced = `${parts[1]}.${parts[2]}ts`;
  if (exists(`${parts[1]}.${parts[2]}js`, parentUrl) || !exists(replaced, parentUrl)) return specifier;
  return replaced + (parts[3] ?? '');
}

function exists(specifier: string, parentUrl: string): boolean {
  return existsSync(fileURLToPath(new URL(specifier, parentUrl)));
}
