#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

// V8 optimizes a function after so much work in it (default: 67584), on threads that a small machine also
// needs for the crawl itself: they took a quarter of the processor time of 2,000 pages, most of it for functions
// that were not worth it. See decisions/0011.
setFlagsFromString('--interrupt-budget=400000');

const main = new URL('../dist/bundle/daguerre.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  process.stderr.write("daguerre is not built yet: run 'npm run build' in its folder first\n");
  process.exitCode = 1;
}
