import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The command in few files: loading 600 modules took longer than archiving a small site. What only some
 * commands need stays in chunks of its own, loaded when asked for.
 */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: at('dist/bundle'),
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      // The second is a thread of its own: see src/cli/analysis-thread.ts.
      input: { daguerre: at('src/cli/main.ts'), 'analysis-worker': at('src/cli/analysis-worker.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
  ssr: {
    noExternal: true,
    // Native code, browsers, and packages that look for files beside themselves.
    external: [
      'better-sqlite3',
      'date-holidays',
      '@sparticuz/chromium',
      'playwright-core',
      'replaywebpage',
      'pg',
      'fastify',
      '@fastify/static',
    ],
  },
});
