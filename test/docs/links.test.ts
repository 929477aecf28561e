import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { ROOT } from '../support/cli.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Ids of findings and notes as they stand in the sources: an object or a call that has an id and a severity or a message. */
function idsInSources(): string[] {
  const files = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const ids = files.flatMap((file) => {
    const text = read(join('lib', file));
    return [...text.matchAll(/\bid: '([a-z]+(?:-[a-z]+)*)'(?=[^}]{0,400}?\b(?:severity|message)\b)/gs)].map(
      (match) => match[1]!,
    );
  });
  // lib/latency adds its findings by a call: id, severity, sentence.
  const added = [...read('lib/latency/verdict.ts').matchAll(/add\(\s*'([a-z-]+)'/g)].map((match) => match[1]!);
  return [...new Set([...ids, ...added])].sort();
}

test('every finding has its place in the troubleshooting page', (t) => {
  const page = read('docs/troubleshooting.md');
  const ids = idsInSources();
  t.true(ids.length > 40, `only ${ids.length} ids were found in the sources`);
  t.deepEqual(
    ids.filter((id) => !page.includes(`\`${id}\``)),
    [],
  );
});

test('links between pages lead somewhere', (t) => {
  const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith('.md'),
  );
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => match[1]!)
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  t.deepEqual(broken, []);
});
