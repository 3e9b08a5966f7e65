import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** wabac's service worker, as `replaywebpage` ships it; it exports index.html but not sw.js, which lies beside it. */
const serviceWorker: Plugin = {
  name: 'replay-service-worker',
  generateBundle() {
    const home = dirname(createRequire(import.meta.url).resolve('replaywebpage/index.html'));
    for (const file of ['sw.js', 'LICENSE']) {
      this.emitFile({ type: 'asset', fileName: `replay/${file}`, source: readFileSync(join(home, file)) });
    }
  },
};

// Two pages: the web page, and the loader that the replay origin serves.
export default defineConfig({
  root: at('web'),
  plugins: [svelte({ configFile: false }), serviceWorker],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    license: { fileName: 'LICENSES.md' },
    // The content security policy allows files only: nothing may be inlined as data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { web: at('web/index.html'), replay: at('web/replay/index.html') } },
  },
});
