import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Two pages: the web page, and the loader that the replay origin serves.
export default defineConfig({
  root: at('web'),
  plugins: [svelte({ configFile: false })],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The content security policy allows files only: nothing may be inlined as data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { web: at('web/index.html'), replay: at('web/replay/index.html') } },
  },
});
