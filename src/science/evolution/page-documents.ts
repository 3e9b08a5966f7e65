/**
 * The history of a page, access by access: what each access came to, given those before it (Abiteboul, Cobéna, Masanès,
 * Sedrati: A first experience in archiving the French web. ECDL 2002, § 5).
 *
 * Bytes decide whether a page was updated; its look, which is what readers see of it, is kept beside. A skipped access
 * refers to the record that shows what the page is believed to be.
 */
import { GONE_STATUSES } from '../../model/exchange.ts';
import { type DeltaDocument, isShown, type PageAccess, type RecordPlace } from '../../model/site-delta.ts';

const GONE: ReadonlySet<number> = new Set(GONE_STATUSES);

/** `accesses`: of one archive, oldest first. */
export function pageDocuments(archive: string, accesses: readonly PageAccess[]): DeltaDocument[] {
  const documents: DeltaDocument[] = [];
  /** The last document that showed the page, until it is gone. */
  let shown: DeltaDocument | undefined;
  let wasThere = false;
  for (const access of accesses) {
    const document = documentOf(access, { archive, shown, wasThere });
    documents.push(document);
    if (isShown(document.status)) {
      shown = document;
      wasThere = true;
    } else if (document.status === 'deleted') shown = undefined;
  }
  return documents;
}

interface Before {
  readonly archive: string;
  readonly shown: DeltaDocument | undefined;
  readonly wasThere: boolean;
}

function documentOf(access: PageAccess, { archive, shown, wasThere }: Before): DeltaDocument {
  const { at } = access;
  const of = { at, archive };
  switch (access.kind) {
    case 'fault':
      return { ...of, status: 'error', fault: access.fault, ...(access.http && { http: access.http }) };
    case 'inferred':
      return { ...of, status: 'skipped', inferred: access.reason, ...referenceTo(shown) };
    case 'virtual':
      return {
        ...of,
        status: 'skipped',
        inferred: access.reason,
        heldBy: access.heldBy,
        ...referenceTo(access),
      };
    case 'mirrored':
      return { ...of, status: 'mirror', of: access.of, ...referenceTo(shown) };
    case 'dropped':
      return { ...of, status: changeOf(access.sha256, shown), ...seenOf(access) };
    case 'answer': {
      const { http } = access;
      const reference = referenceTo(access);
      if ((http >= 200 && http < 300) || http === 304) {
        const sameAs = access.sameAs !== undefined && { sameAs: access.sameAs };
        return { ...of, status: changeOf(access.sha256, shown), ...seenOf(access), ...sameAs, ...reference };
      }
      const status = wasThere && GONE.has(http) ? 'deleted' : 'error';
      return { ...of, status, http, ...reference };
    }
  }
}

/** Only other tools leave out the digest: a revisit without one says that nothing changed. */
function changeOf(sha256: string, shown: DeltaDocument | undefined): 'new' | 'updated' | 'unchanged' {
  if (!shown) return 'new';
  return sha256 === '' || sha256 === shown.sha256 ? 'unchanged' : 'updated';
}

type Seen = Extract<PageAccess, { kind: 'answer' | 'dropped' }>;

const seenOf = ({ sha256, size, look, importance }: Seen) => ({
  ...(sha256 !== '' && { sha256 }),
  ...(size !== undefined && { size }),
  ...(look !== undefined && { look }),
  ...(importance !== undefined && { importance }),
});

/** WARC writes record ids between angle brackets, which are not part of the id. */
const referenceTo = (to: RecordPlace | undefined): RecordPlace => ({
  ...(to?.record && { record: to.record.replace(/^<(.*)>$/s, '$1') }),
  ...(to?.file !== undefined && { file: to.file }),
  ...(to?.offset !== undefined && { offset: to.offset }),
});
