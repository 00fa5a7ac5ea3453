import js from '@eslint/js'
import prettier from 'eslint-config-prettier'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import { arrowsConfig } from './build/lint/arrows.js'
import { namesConfig } from './build/lint/names.js'
import { sizesConfig } from './build/lint/sizes.js'
import { staircaseConfig } from './build/lint/staircase.js'

export default ts.config(
  {
    ignores: [
      'out/',
      'dist/',
      'coverage/',
      'test-results/',
      'playwright-report/',
      '**/*.d.ts',
      'node_modules/',
      '.svelte-check/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  ...svelte.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...ts.configs.recommendedTypeChecked],
    // One program of all that tsconfig.json names. The service that editors use opens file after file, which takes a sixth
    // more of the whole time.
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // An async function that answers at once is how a port with a promise is filled.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['**/*.svelte.ts'],
    // Most maps and sets of a state class are registers that nothing is drawn from.
    rules: { 'svelte/prefer-svelte-reactivity': 'off' },
  },
  {
    // Types of components are svelte-check's; asking for them here too would take longer than all the rest.
    files: ['**/*.svelte'],
    extends: [...ts.configs.recommended],
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'svelte/no-at-html-tags': 'error',
      // `let { name } = $props()` is how Svelte says that the value changes.
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "SvelteElement[name.name='input'] > SvelteStartTag > SvelteAttribute[key.name='type'] > SvelteLiteral[value='number']",
          message: 'The wheel changes a focused number field unnoticed: use text with inputmode="numeric".',
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: {
      // TypeScript knows these better.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  { files: ['src/renderer/**', 'src/web/client/**'], languageOptions: { globals: globals.browser } },
  { files: ['**/*.js'], languageOptions: { globals: globals.node } },
  {
    files: ['**/*.test.ts', '**/*.fixture.ts', 'tests/**/*.ts'],
    rules: {
      // What a test reads back is checked by its assertion, not by a type.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  arrowsConfig,
  staircaseConfig,
  sizesConfig,
  namesConfig,
  prettier,
  ...svelte.configs.prettier,
  {
    // Modules of states are TypeScript as it stands. Svelte's parser would write to each what types it, and the types of
    // all the project would be made anew for every one of them: half the time of the whole. (The line above sets it.)
    files: ['**/*.svelte.ts'],
    languageOptions: { parser: ts.parser },
  },
)
