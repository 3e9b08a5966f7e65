import { textOf } from '../../model/body.ts';
import { CERTIFICATE } from '../../model/certificate.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** Signed statements: what they name can be checked only while it is there. Proofs rest on certified captures alone. */
const STATEMENTS = [CERTIFICATE] as const;

const RECORD_ID = /<urn:uuid:[0-9a-f-]{36}>/gi;

/**
 * Ids of all records that a certificate, or another signed statement, names. Found in their text, so that damaged ones
 * count too.
 */
export async function namedRecords({
  catalog,
  reader,
}: Pick<OpenArchive, 'catalog' | 'reader'>): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const urlPrefix of STATEMENTS) {
    for await (const fact of catalog.captures({ urlPrefix })) {
      const text = await textOf((await reader.read(fact)).payload);
      for (const [id] of text.matchAll(RECORD_ID)) named.add(id.toLowerCase());
    }
  }
  return named;
}
