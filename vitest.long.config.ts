import { defineConfig } from 'vitest/config';
import short from './vitest.config.ts';

/** What takes minutes, apart from `npm test`: `npm run test:long` and `npm run test:install`. One file at a time. */
export default defineConfig({
  test: {
    ...short.test,
    include: ['test/long/**/*.long.test.ts', 'test/install/**/*.install.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 30 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
  },
});
