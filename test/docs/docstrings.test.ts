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

/** Members that a user writes: those of option types and of what suite() and latency() take. */
const isWritten = (name: string) => /Options$|Definition$|^Config$/.test(name);

/** Names of what lacks a docstring, `file: name`. */
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
        if (!hidden && !documented(member, checker)) missing.add(`lib/${at}: ${symbol.name}.${member.name}`);
      }
    }
  }
  return [...missing].sort();
}

test('every public name and every option has a docstring', (t) => {
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

test('the check sees a missing docstring', (t) => {
  const bare = join(ROOT, 'test/fixtures/bare/lib/bare.ts');
  t.deepEqual(undocumented([bare]), [
    'lib/bare.ts: BareOptions',
    'lib/bare.ts: BareOptions.depth',
    'lib/bare.ts: bare',
  ]);
});
