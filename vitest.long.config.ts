import { defineConfig } from 'vitest/config';
import short from './vitest.config.ts';

/** What takes minutes: `npm run test:long`, apart from `npm test`. One file at a time: they load the whole machine. */
export default defineConfig({
  test: {
    ...short.test,
    include: ['test/long/**/*.long.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 30 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
    // Nothing takes long until somebody adds it.
    passWithNoTests: true,
  },
});
