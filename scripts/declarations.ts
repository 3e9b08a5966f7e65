/** Types for the sub-paths that other programs import (src/exports), written to dist/types. Part of `npm run build`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPES = join(ROOT, 'dist/types');

rmSync(TYPES, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(ROOT, 'tsconfig.types.json')],
  {
    stdio: 'inherit',
  },
);
// The compiler leaves `./x.ts` unchanged in declarations, where readers of the types only have `./x.d.ts`.
for (const file of readdirSync(TYPES, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const path = join(TYPES, file);
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'),
  );
}
