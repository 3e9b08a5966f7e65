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

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What is loaded together, by what brings it along: of what is imported while it works, only what is named here. */
const LOADED_TOGETHER = {
  /** Every crawl. Not main.ts itself, which waits for the command to end: what the command is in would wait for it in turn. */
  crawl: [
    'src/cli/explain-error.ts',
    'src/cli/program.ts',
    'src/cli/commands/archive.ts',
    'src/catalog/engines/sqlite.ts',
  ],
  /** The thread that analyses. Not analysis-worker.ts itself: whoever else loads one of these is no such thread. */
  analysis: [
    'src/archive/analysis/advertisements.ts',
    'src/capture/html/html-tree.ts',
    'src/science/layout/kept-layouts.ts',
    'src/stages/analyse-snapshot.ts',
    'src/stages/template-layout.ts',
  ],
  /** With a crawl that renders. */
  browser: ['src/capture/browser/index.ts'],
};

let loadedBy: ReadonlyMap<string, ReadonlySet<string>> | undefined;

function modulesOf(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const modules = new Set(roots.map(at));
  // A set goes on to what is added to it meanwhile.
  for (const module of modules)
    for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) modules.add(imported);
  return modules;
}

/** The file of a module: what two of them load is a third, so that neither reads what is for the other. */
function chunkOf(id: string, graph: ModuleGraph): string | null {
  loadedBy ??= new Map(
    Object.entries(LOADED_TOGETHER).map(([name, roots]) => [name, modulesOf(roots, graph)]),
  );
  const names = [...loadedBy].filter(([, modules]) => modules.has(id)).map(([name]) => name);
  // There is no browser without a crawl.
  const apart = names.includes('crawl') ? names.filter((name) => name !== 'browser') : names;
  return apart.length > 0 ? apart.join('-and-') : null;
}

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
        // What a crawl loads is one file, and holds nothing else: reading what was for other commands took half of its
        // start, loading a hundred small files a sixth. What many other commands share is another one.
        codeSplitting: {
          groups: [
            { name: chunkOf, debugName: 'loaded together', priority: 1 },
            { name: 'shared', test: /\/src\//, minShareCount: 8 },
          ],
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
