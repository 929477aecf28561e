import { readFileSync } from 'node:fs';
import test from 'ava';
import * as stats from '#lib/stats/index.js';
import { examplesPrintWhatThePageSays } from '../support/page.js';

const PAGES = ['stats', 'stats-series'];

for (const name of PAGES) {
  test(`the examples of docs/${name}.md print what the page says`, (t) => examplesPrintWhatThePageSays(t, name));
}

test('the pages name everything that is exported, and every constant with its value', (t) => {
  const text = PAGES.map((name) => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')).join('');
  const named = (name: string) => new RegExp(`\\b${name}\\b`).test(text);
  t.deepEqual(
    Object.keys(stats).filter((name) => !named(name)),
    [],
  );
  for (const [name, value] of Object.entries(stats)) {
    if (typeof value !== 'number' || /QUANTILE|RANK/.test(name)) continue;
    const [, table, inline] = text.match(`\`${name}\` *(?:\\| *([\\d.]+)|\\(([\\d.]+))`) ?? [];
    const shown = Number(table ?? inline);
    // Shares are shown as per cent where that reads better.
    t.true(shown === value || shown === value * 100, `${name}: ${shown}, is ${value}`);
  }
});
