import { randomUUID } from 'node:crypto';
import { REDACTED } from '../model/private-capture.ts';
import type { Millis } from '../model/time.ts';
import { ARCHIVE_ID, ARCHIVE_NAME, FOLLOWS } from './archive-of-file.ts';
import type { RecordDraft } from './pack.ts';
import { warcDate } from './record-head.ts';
import { FORMAT_FIELDS, fieldsRecord } from './warc-fields.ts';
import type { WarcStoreOptions } from './warc-store.ts';

export interface BegunFile {
  readonly name: string;
  readonly at: Millis;
  /** See FileOrigin. */
  readonly follows?: string;
}

/** The first record of a file: who wrote it, for which crawl, under which rules. */
export function warcinfoDraft(
  { software, collection, crawlId, robots, userAgent, identity, isPrivate }: WarcStoreOptions,
  { name, at, follows }: BegunFile,
): RecordDraft {
  return fieldsRecord(
    [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
      ['WARC-Date', warcDate(at)],
      ['WARC-Filename', name],
    ],
    [
      ['software', software],
      ...FORMAT_FIELDS,
      [ARCHIVE_ID, identity?.id],
      [ARCHIVE_NAME, identity?.name],
      ['isPartOf', collection],
      ['crawl-id', String(crawlId)],
      ['robots', robots],
      ['http-header-user-agent', userAgent],
      [FOLLOWS, follows],
      ['access', isPrivate ? `private; secrets are stored as ${REDACTED}` : undefined],
    ],
  );
}
