import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { searchConformance } from './search.conformance.ts';
import { openSqliteSearch } from './sqlite-search.ts';

const folder = mkdtempSync(join(tmpdir(), 'daguerre-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

searchConformance('SQLite', async () => openSqliteSearch(join(folder, 'search.sqlite'), { readonly: false }));
