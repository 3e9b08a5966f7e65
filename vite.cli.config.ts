import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { shippedCountryFiles } from './src/capture/addresses/shipped-countries.ts';
import { shippedListFiles } from './src/capture/ads/shipped-lists.ts';
import { shippedBehaviorFiles } from './src/capture/browser/behaviors/shipped-script.ts';
import { shippedConsentFiles } from './src/capture/browser/consent/consent-list.ts';
import { shippedWordFiles } from './src/capture/words/shipped-words.ts';

/** What other programs import as `daguerre/<name>`: `exports` of package.json. */
const SUB_PATHS = readdirSync(new URL('./src/exports', import.meta.url)).map((file) =>
  file.replace('.ts', ''),
);

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Compiled here, not where the package is installed: see the files that these functions are in. */
const compiledData: Plugin = {
  name: 'compiled-data',
  generateBundle() {
    const files = [
      ...shippedListFiles(),
      ...shippedCountryFiles(),
      ...shippedWordFiles(),
      ...shippedConsentFiles(),
      ...shippedBehaviorFiles(),
    ];
    for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
  },
};

/**
 * The command in few files: loading 600 modules took longer than archiving a small site. What only some
 * commands need stays in chunks of its own, loaded when asked for. Npm packages are inside, so that whoever
 * installs the package gets the versions it was tested with, and nothing that is only needed to build it.
 * See decisions/0015.
 */
export default defineConfig({
  plugins: [compiledData],
  // Its ESM build calls a namespace, which only some bundlers let pass.
  resolve: { alias: { 'cld3-asm': at('node_modules/cld3-asm/dist/cjs/index.js') } },
  // Asked for by cld3-asm as it loads; its WebAssembly is inside.
  define: { __dirname: 'import.meta.dirname' },
  build: {
    ssr: true,
    target: 'node20',
    outDir: at('dist/bundle'),
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    license: { fileName: 'LICENSES.md' },
    rollupOptions: {
      // Those at the end are threads of their own: see analysis-thread.ts and range-threads.ts.
      input: {
        daguerre: at('src/cli/main.ts'),
        archive: at('src/index.ts'),
        ...Object.fromEntries(SUB_PATHS.map((name) => [name, at(`src/exports/${name}.ts`)])),
        'analysis-worker': at('src/archive/analysis/analysis-worker.ts'),
        'range-thread': at('src/warc/verify/range-thread.ts'),
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // What many commands share is one file: loading a hundred small ones took a sixth of the start of a crawl.
        codeSplitting: {
          groups: [{ name: 'shared', test: /\/src\//, minShareCount: 4 }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
  ssr: {
    noExternal: true,
    // Native code. @sparticuz/chromium is not imported but looked for: see find-chromium.ts.
    external: ['better-sqlite3'],
  },
});
