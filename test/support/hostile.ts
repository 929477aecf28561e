/** Names that hurt formats, shared by the tests of all of them. */

/** Suite, benchmark, param, value, message of a failure. */
export type Names = readonly [suite: string, benchmark: string, param: string, value: string, message: string];

/** By what is wrong with them. */
export const HOSTILE: Readonly<Record<string, Names>> = {
  plain: ['Lookup', 'linearSearch', 'size', '16', 'boom'],
  quotes: [`a"b'c`, '`d`', '“e”', `''"`, `"quoted" and 'single'`],
  separators: ['a,b;c', 'd|e\\|f', 'g=h', 'i\tj', '|||'],
  lines: ['a', 'b', 'c', 'one\ntwo\r\nthree\n', 'first\nsecond'],
  markup: ['</script>', '<b>&amp;</b>', '&lt;', '<!-- -->', ']]></error><script>alert(1)</script>'],
  markdown: ['*a*', '_b_', '# c', '[d](e)', '![f](g) `h` ~~i~~ $j$ @somebody #1 :smile: \\* \\\\'],
  latex: ['\\input{x}', '%', '$a_1^2$', '{}~&#', "--- `` '' ,,"],
  emoji: ['🚀', '👩‍👩‍👧', '日本語', 'Ünïcödé', '💥'],
  rtl: ['مقياس', 'אבג', 'a\u202eb', 'ع1', 'خطأ'],
  go: ['lower', 'name-8', 'a/b', 'c d%20', '_'],
  teamcity: ['##teamcity[x]', "|'|n[]", '|0x0041', 'a|', "['|]"],
  proto: ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'x'],
  blanks: [' a ', 'b  c', ' d', 'e ', 'f '],
  empty: ['a', 'b', 'c', '', ''],
  control: ['a\u0001', 'b\u007f', 'c\u0085', 'd\u0000', 'e\u001b[31m'],
  long: ['a'.repeat(10_000), 'b'.repeat(10_000), 'c'.repeat(10_000), 'd'.repeat(10_000), 'e'.repeat(10_000)],
};
