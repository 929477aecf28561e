// Type-aware rules only: biome does format and lint, eslint watches promises.
import tseslint from 'typescript-eslint';

export default [
  { ignores: ['dist/**', 'out/**', '**/fixtures/**', 'lib/**/*.mjs'] },
  {
    files: ['lib/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: ['./tsconfig.json', './tsconfig.test.json'], tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    linterOptions: { reportUnusedDisableDirectives: false },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
];
