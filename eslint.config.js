// Biome formats and lints. This adds the one thing it cannot do yet: promises nobody waits for, found with
// TypeScript's own types, those of Node and npm packages included.
import tseslint from 'typescript-eslint';

export default tseslint.config({
  files: ['{src,test,scripts,bench}/**/*.ts'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  plugins: { '@typescript-eslint': tseslint.plugin },
  linterOptions: { reportUnusedDisableDirectives: 'off' },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/no-misused-promises': 'error',
  },
});
