import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, defineConfig, type Plugin } from 'vite';

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface OneFile {
  readonly code: string;
  /** Of the packages inside. */
  readonly licenses: string;
}

/** One file without imports: a service worker, or a script that is written into documents. */
async function oneFile(entry: string, define: Record<string, string> = {}): Promise<OneFile> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      license: { fileName: 'LICENSES.md' },
      rollupOptions: { input: at(entry), output: { format: 'iife', codeSplitting: false } },
    },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error(`${entry} was not built`);
  const licenses = output.output.find((file) => file.fileName === 'LICENSES.md');
  return { code: output.output[0].code, licenses: licenses?.type === 'asset' ? String(licenses.source) : '' };
}

const WOMBAT = at('node_modules/@webrecorder/wombat');
const WOMBAT_FILES = ['wombat.js', 'wombatWorkers.js'];

/**
 * wombat goes to browsers as it is, from a folder named by its content: kept by them as long as it is the same, and compiled once.
 * Returns that name.
 */
async function writeWombat(folder: string): Promise<string> {
  const files = await Promise.all(
    WOMBAT_FILES.map(async (name) => ({ name, code: await readFile(path.join(WOMBAT, 'dist', name)) })),
  );
  const hash = createHash('sha256');
  for (const { code } of files) hash.update(code);
  const version = hash.digest('hex').slice(0, 16);
  await mkdir(path.join(folder, version), { recursive: true });
  for (const { name, code } of files) await writeFile(path.join(folder, version, name), code);
  return version;
}

async function wombatLicense(): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(path.join(WOMBAT, 'package.json'), 'utf8'));
  return `\n## ${name} - ${version} (${license})\n\n${await readFile(path.join(WOMBAT, 'LICENSE.md'), 'utf8')}`;
}

/** Replay's service worker, with the guard in it, as it is written into documents. */
function replayScripts(): Plugin {
  let folder = '';
  return {
    name: 'replay-scripts',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir, 'replay');
    },
    async closeBundle() {
      const guard = (await oneFile('web/replay/guard.ts')).code.trim();
      // It stands inside a script element.
      if (/<\/script|<!--/i.test(guard)) throw new Error('the guard holds text that would end its element');
      const version = await writeWombat(path.join(folder, 'static'));
      const worker = await oneFile('web/replay/worker.ts', {
        GUARD: JSON.stringify(guard),
        STATIC: JSON.stringify(`/static/${version}/`),
      });
      await writeFile(path.join(folder, 'guard.js'), guard);
      await writeFile(path.join(folder, 'sw.js'), worker.code);
      await writeFile(path.join(folder, 'LICENSES.md'), worker.licenses + (await wombatLicense()));
    },
  };
}

// Three pages: the web page, and the two that the replay origins serve.
export default defineConfig({
  root: at('web'),
  plugins: [svelte({ configFile: false }), replayScripts()],
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    license: { fileName: 'LICENSES.md' },
    // The content security policy allows files only: nothing may be inlined as data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        web: at('web/index.html'),
        replay: at('web/replay/index.html'),
        entry: at('web/replay/entry.html'),
      },
    },
  },
});
