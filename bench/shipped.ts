import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Modules as the package ships them: built by Vite, like the command and the peers. Run from source, each closure
 * carries a name that tsx adds, which took two fifths of the time of comparing layouts.
 */
export const shipped = <T extends readonly unknown[]>(...modules: readonly string[]): Promise<T> =>
  shippedFrom<T>(at('..'), ...modules);

let builds = 0;

/** The same for another checkout, for instance of the commit before a change. */
export async function shippedFrom<T extends readonly unknown[]>(
  checkout: string,
  ...modules: readonly string[]
): Promise<T> {
  const outDir = at(`../node_modules/.cache/shipped-${process.pid}-${builds++}`);
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(
          modules.map((module, index) => [`module-${index}`, resolve(checkout, `src/${module}.ts`)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
      },
    },
  });
  const loaded = modules.map((_, index) => import(`${outDir}/module-${index}.js`) as Promise<unknown>);
  const all = (await Promise.all(loaded)) as readonly unknown[] as T;
  await rm(outDir, { recursive: true });
  return all;
}
