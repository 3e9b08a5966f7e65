import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/long/**', 'test/install/**'],
    // Browsers, servers and databases are real: slow machines need room. No test asserts on time.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // Vitest keeps one core for itself; our tests mostly wait for browsers, servers and databases.
    maxWorkers: 2,
  },
});
