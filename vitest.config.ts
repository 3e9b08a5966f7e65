import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/long/**', 'test/install/**'],
    // Browsers, servers and databases are real: slow machines need room. No test asserts on time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // Among thousands of tests with real browsers one may meet a hiccup of the machine. CI gives it a second try and names
    // it in its output (`retry x1`); while developing, the first failure is what one wants to see.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    // Vitest keeps one core for itself; our tests mostly wait for browsers, servers and databases.
    maxWorkers: 2,
  },
});
