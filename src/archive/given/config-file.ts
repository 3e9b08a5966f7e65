import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { naming } from '../../ports/system-error.ts';

/** Reads a YAML file and checks it; every complaint names the file, the line and what would be accepted. */
export async function readConfig<T extends z.ZodType>(
  path: string,
  schema: T,
): Promise<Record<string, unknown>> {
  const text = await naming(path, readFile(path, 'utf8'));
  // YAML takes a quarter of a megabyte of code, which a crawl without a configuration does not load.
  const { checkedText } = await import('./config-text.ts');
  return checkedText(text, path, schema);
}
