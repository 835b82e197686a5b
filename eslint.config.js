// The rules that need types; everything else is Biome's.
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['**/dist/**', '**/.cache/**', '**/node_modules/**', 'data/**', 'scripts/**', '*.js', '.*.cjs', '**/*.mjs', '**/public/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { '@typescript-eslint': tseslint.plugin, 'react-hooks': reactHooks },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: { allowDefaultProject: ['vitest.config.ts', 'playwright.config.ts'] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, arguments: false, properties: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
    },
  },
  {
    files: ['apps/server/src/**/*.ts'],
    ignores: ['apps/server/src/providers/egress.ts', '**/*.test.ts', 'apps/server/src/testing/**'],
    rules: {
      // One door to the outside: every address is checked there.
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Use providers/egress.ts.' }, { name: 'WebSocket', message: 'Use providers/egress.ts.' }],
      'no-restricted-imports': [
        'error',
        {
          paths: ['undici', 'node:http', 'node:https', 'http', 'https'].map((name) => ({ name, message: 'Use providers/egress.ts.', allowTypeImports: true })),
        },
      ],
    },
  },
  {
    files: ['apps/web/src/**/*.{ts,tsx}'],
    ignores: ['apps/web/src/data/http/**', '**/*.test.{ts,tsx}', 'apps/web/src/testing/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Use data/http/api.ts.' }],
    },
  },
  {
    files: ['apps/web/src/**/*.{ts,tsx}'],
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-syntax': ['error', { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'Raw HTML never reaches the page.' }],
    },
  },
)
