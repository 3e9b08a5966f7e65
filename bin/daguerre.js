#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/bundle/daguerre.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write("daguerre is not built yet: run 'npm run build' in its folder first\n");
  process.exitCode = 1;
}
