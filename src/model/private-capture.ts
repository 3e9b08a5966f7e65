import type { HeaderList } from './exchange.ts';

/** Stands in records for values that open doors: cookies, credentials, and whatever else a user supplied. */
export const REDACTED = '[redacted]';

/** Secrets that a crawl can be given. Only these names are kept with the crawl. */
export const SECRET_KINDS = [
  'cookie',
  'header',
  'credentials',
  'storage-state',
  'profile',
  'session-file',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/**
 * Prefix of record files whose captures are private. Crawls that were given secrets have files of their own, and
 * every fact of the index names its file, so each fact says by itself whether it is private, rebuilt and imported ones included.
 * No collection name contains a tilde.
 */
export const PRIVATE_FILE = 'private~';

export const isPrivateFile = (file: string): boolean => file.startsWith(PRIVATE_FILE);

export const isPrivate = ({ file }: { readonly file: string }): boolean => isPrivateFile(file);

/** Names of the fields redacted in these messages, each as first spelled. */
export function redactedFields(lists: readonly HeaderList[]): readonly string[] {
  const names = new Map<string, string>();
  for (const list of lists)
    for (const [name, value] of list)
      if (value === REDACTED && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.values()].sort();
}
