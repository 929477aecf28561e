/** Every public function, class, type and option has a docstring, seen through the entry points that package.json exports. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import ts from 'typescript';
import { ROOT } from '../support/cli.js';

/** Source files behind the entry points; adapters are found by their folder. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string }>;
  };
  const files = Object.values(exports).flatMap(({ types }) => (types ? [types] : []));
  const adapters = ts.sys.readDirectory(join(ROOT, 'lib/adapters'), ['.ts'], undefined, undefined, 1);
  return [
    ...files
      .filter((file) => !file.includes('*'))
      .map((file) => join(ROOT, file.replace('dist', 'lib').replace('.d.ts', '.ts'))),
    ...adapters,
  ];
}

/** Described, or marked as not for users. */
const documented = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.getDocumentationComment(checker).length > 0 ||
  symbol.getJsDocTags(checker).some(({ name }) => name === 'internal' || name === 'throws');

const hasTag = (symbol: ts.Symbol, checker: ts.TypeChecker, tag: string) =>
  symbol.getJsDocTags(checker).some(({ name }) => name === tag);

/** A `throw new` of its own, a callback inside it included. */
function throwsNew(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) && ts.isNewExpression(node.expression)) return true;
  return ts.forEachChild(node, (child) => throwsNew(child) || undefined) ?? false;
}

/** What is wrong with the docstring of a function: it hides an error, or is tags alone. */
function untold(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const isFunction = (node: ts.Node) =>
    ts.isFunctionLike(node) ||
    (ts.isVariableDeclaration(node) && !!node.initializer && ts.isFunctionLike(node.initializer));
  const functions = symbol.declarations?.filter(isFunction) ?? [];
  if (functions.length === 0 || hasTag(symbol, checker, 'internal')) return [];
  return [
    ...(functions.some(throwsNew) && !hasTag(symbol, checker, 'throws') ? ['no @throws'] : []),
    ...(symbol.getJsDocTags(checker).length > 0 && symbol.getDocumentationComment(checker).length === 0
      ? ['tags alone']
      : []),
  ];
}

/** Members that a user writes: those of option types and of what suite() and latency() take. */
const isWritten = (name: string) => /Options$|Definition$|^Config$/.test(name);

/** Names of what lacks a docstring, `file: name`, or lacks a part of it, `file: name: part`. */
function undocumented(files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([...files], {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
    tsBuildInfoFile: undefined,
  });
  const checker = program.getTypeChecker();
  const missing = new Set<string>();
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declaration = symbol.declarations?.[0];
      if (!declaration?.getSourceFile().fileName.includes('/lib/')) continue;
      const at = declaration.getSourceFile().fileName.split('/lib/').at(-1);
      if (!documented(symbol, checker)) missing.add(`lib/${at}: ${symbol.name}`);
      for (const what of untold(symbol, checker)) missing.add(`lib/${at}: ${symbol.name}: ${what}`);
      const members =
        ts.isClassDeclaration(declaration) || (ts.isInterfaceDeclaration(declaration) && isWritten(symbol.name));
      for (const member of members ? (symbol.members?.values() ?? []) : []) {
        const [first] = member.declarations ?? [];
        const hidden =
          !first ||
          (member.flags & ts.SymbolFlags.TypeParameter) !== 0 ||
          (ts.getCombinedModifierFlags(first) & ts.ModifierFlags.Private) !== 0 ||
          // The name of an error class says what it is.
          (ts.isClassDeclaration(declaration) && member.name === 'name') ||
          member.name.startsWith('__') ||
          (first as ts.NamedDeclaration).name?.kind === ts.SyntaxKind.PrivateIdentifier;
        // A constructor may do without a docstring, but not with one that hides or says nothing.
        if (hidden && member.name !== '__constructor') continue;
        if (!hidden && !documented(member, checker)) missing.add(`lib/${at}: ${symbol.name}.${member.name}`);
        for (const what of untold(member, checker)) missing.add(`lib/${at}: ${symbol.name}.${member.name}: ${what}`);
      }
    }
  }
  return [...missing].sort();
}

test('every public name and every option has a docstring, which names the errors of a function', (t) => {
  t.deepEqual(undocumented(entryPoints()), []);
});

test('the API reference is made from the entry points of the package', (t) => {
  const folder = join(ROOT, 'docs/tool');
  const { entryPoints: told } = JSON.parse(readFileSync(join(folder, 'typedoc.json'), 'utf8')) as {
    entryPoints: string[];
  };
  const files = told.flatMap((path) => {
    const file = join(folder, path);
    return file.endsWith('*.ts') ? ts.sys.readDirectory(dirname(file), ['.ts'], undefined, undefined, 1) : [file];
  });
  t.true(files.some((file) => file.endsWith('adapters/vitest.ts')));
  t.deepEqual(files.sort(), entryPoints().sort());
});

test('the check sees a missing docstring, a hidden error and tags without a sentence', (t) => {
  const bare = join(ROOT, 'test/fixtures/bare/lib/bare.ts');
  t.deepEqual(undocumented([bare]), [
    'lib/bare.ts: BareOptions',
    'lib/bare.ts: BareOptions.depth',
    'lib/bare.ts: Strict.__constructor: no @throws',
    'lib/bare.ts: Strict.__constructor: tags alone',
    'lib/bare.ts: Strict.take: no @throws',
    'lib/bare.ts: bare',
    'lib/bare.ts: hiding: no @throws',
    'lib/bare.ts: tagged: tags alone',
  ]);
});
