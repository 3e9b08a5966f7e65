import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { pageText } from '../../capture/html/page-text.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import { CERTIFICATE } from '../../model/certificate.ts';
import { header } from '../../model/exchange.ts';
import { PROOF_ANSWERS, PROOF_CLAIMS, type ProofInterval, type SignedProof } from '../../model/proof.ts';
import { storedResponse } from '../../ports/record-store.ts';
import { naming } from '../../ports/system-error.ts';
import { namedPages, proofStatement, type SharpVisits, showsPhrase } from '../../science/sharpness/proof.ts';
import { CertificateError, readCertificate } from '../../science/sharpness/read-certificate.ts';
import { fingerprint } from '../../storage/ed25519.ts';
import { recordPaths } from '../../storage/record-copies.ts';
import { keysOfArchive } from '../../storage/shared-keys.ts';
import { recordsNamed } from '../../warc/certificate-records.ts';
import type { WarcRecord } from '../../warc/warc-record.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { type FoundCertificate, statementsOf } from '../prove/trusted-statements.ts';
import { UserError } from '../user-error.ts';
import { type KeySigner, signatureOf } from './signature-of.ts';

/** What `verify --proof` says of one file. */
export interface CheckedProof {
  readonly file: string;
  readonly answers: Readonly<Record<(typeof PROOF_ANSWERS)[number], number>>;
  readonly key: string;
  readonly signer: KeySigner;
  /** Empty where everything is as stated. */
  readonly faults: readonly string[];
}

/** In bytes: a proof has a line for each page of a large site. */
const LARGEST = 1 << 28;
/** Differences that are listed. */
const LISTED = 20;

const TIME = z.iso.datetime();
const VISIT = z.looseObject({ record: z.string(), time: TIME, sha256: z.string(), status: z.int() });
/** Only what is needed to recompute the statement; the rest shows when the two are compared. */
const PROOF = z.looseObject({
  algorithm: z.literal('Ed25519'),
  publicKey: z.string(),
  signature: z.string(),
  statement: z.looseObject({
    type: z.literal('daguerre-proof'),
    version: z.literal(1),
    software: z.string(),
    clock: z.string(),
    madeAt: TIME,
    query: z.strictObject({
      site: z.string(),
      phrase: z.string(),
      claim: z.enum(PROOF_CLAIMS),
      from: TIME,
      to: TIME,
      page: z.string().optional(),
    }),
    answers: z.record(z.enum(PROOF_ANSWERS), z.int()),
    pages: z.array(
      z.looseObject({
        url: z.string(),
        answer: z.enum(PROOF_ANSWERS),
        intervals: z.array(z.looseObject({ visit: VISIT, revisit: VISIT })),
      }),
    ),
  }),
});

/** Recomputes a proof from the records alone, independently of the catalog, and checks its signature. */
export async function verifyProof(
  location: ArchiveLocation,
  file: string,
  given?: string,
): Promise<CheckedProof> {
  const proof = await readProof(file);
  const { statement } = proof;
  const archive = await openForReading(location);
  try {
    const known = await keysOfArchive(archive.folder);
    const madeAt = Date.parse(statement.madeAt);
    const keys = { known, ...(given !== undefined && { given }) };
    const { signer, faults } = signatureOf({ at: madeAt }, proof, keys);
    const isTrusted = (publicKey: string): boolean =>
      publicKey === proof.publicKey ||
      known.some((key) => key.publicKey === publicKey && key.origin !== 'imported');
    const again = await computed(proof, await certificatesIn(archive, isTrusted), archive);
    return {
      file,
      answers: statement.answers,
      key: fingerprint(proof.publicKey),
      signer,
      faults: [...faults, ...differences(proof.statement, again)],
    };
  } finally {
    await archive.close();
  }
}

async function readProof(file: string): Promise<SignedProof> {
  const { size } = await naming(file, stat(file));
  if (size > LARGEST) throw new UserError(`${file}: ${size} bytes are no proof`);
  const text = await naming(file, readFile(file, 'utf8'));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError(`${file}: it is no JSON, so no proof`);
  }
  const read = PROOF.safeParse(value);
  if (read.success) return value as SignedProof;
  const [issue] = read.error.issues;
  throw new UserError(`${file}: no proof: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

async function certificatesIn(
  { folder }: OpenArchive,
  isTrusted: (publicKey: string) => boolean,
): Promise<readonly FoundCertificate[]> {
  const found: FoundCertificate[] = [];
  await recordsNamed(recordPaths(folder), {
    ids: new Set(),
    payloads: new Set(),
    prefix: CERTIFICATE,
    onPayload: async () => {},
    async onTarget(record) {
      if (record.type !== 'metadata') return;
      try {
        const certificate = readCertificate(await textOf(record));
        const { publicKey } = certificate;
        const { faults } = signatureOf(record, certificate, { given: publicKey, known: [] });
        found.push({ at: record.at, certificate, isTrusted: faults.length === 0 && isTrusted(publicKey) });
      } catch (error) {
        if (!(error instanceof CertificateError)) throw error;
      }
    },
  });
  return found;
}

async function computed(
  { statement }: SignedProof,
  found: readonly FoundCertificate[],
  { folder, catalog }: OpenArchive,
) {
  const { query, software, clock, madeAt } = statement;
  const { siteOf } = catalog.siteBounds();
  const pages = namedPages(
    statementsOf(found, Date.parse(madeAt)),
    query,
    (url) => siteOf(url) === query.site,
  );
  const sharp = pages.flatMap((page) => page.sharp);
  /** By digest: whether the text of the payload holds the phrase. */
  const shows = new Map<string, boolean>();
  const rendered = new Map<string, { readonly record: string; readonly shows: boolean }>();
  const urls = new Set(sharp.map(({ url }) => `urn:text:${url}`));
  const pageReader = createPageReader();
  const { records, contradicted } = await recordsNamed(recordPaths(folder), {
    ids: new Set(sharp.flatMap(({ visit, revisit }) => [visit.record, revisit.record])),
    payloads: new Set(sharp.map(({ visit }) => visit.sha256)),
    prefix: 'urn:text:',
    async onPayload(sha256, record) {
      const { url, http, fields } = record;
      if (!http || header(fields, 'warc-truncated') !== undefined) return;
      const response = storedResponse(record);
      const source = response && (await pageReader.readSource({ url, response }));
      if (source !== undefined) shows.set(sha256, showsPhrase(pageText(source), query.phrase));
    },
    async onTarget(record) {
      const event = header(record.fields, 'warc-page-id');
      if (record.type !== 'resource' || event === undefined || !urls.has(record.url)) return;
      const found = { record: record.id, shows: showsPhrase(await textOf(record), query.phrase) };
      rendered.set(`${event} ${record.url}`, found);
    },
  });
  const isWitnessed = ({ url, visit, revisit }: SharpVisits): boolean => {
    const [first, second] = [records.get(visit.record), records.get(revisit.record)];
    return [
      [first, visit],
      [second, revisit],
    ].every(
      ([record, stated]) =>
        record !== undefined &&
        stated !== undefined &&
        'id' in record &&
        !contradicted.has(record.id) &&
        record.url === url &&
        'time' in stated &&
        record.at === Date.parse(stated.time) &&
        record.sha256 === visit.sha256 &&
        record.truncated === undefined,
    );
  };
  const answered = pages.map((page) => ({
    page,
    intervals: page.sharp.flatMap((one): ProofInterval[] => {
      if (!isWitnessed(one)) return [];
      const { url, visit, revisit } = one;
      const shown = shows.get(visit.sha256) ?? null;
      const event = records.get(visit.record)?.eventId;
      const browser = shown === null ? undefined : rendered.get(`${event} urn:text:${url}`);
      return [{ visit, revisit, shows: shown, ...(browser && { rendered: browser }) }];
    }),
  }));
  return proofStatement(query, answered, { software, clock, madeAt });
}

/** Where the statement differs from what the records say, page by page. */
function differences(stated: SignedProof['statement'], again: SignedProof['statement']): readonly string[] {
  if (canonicalJson(stated) === canonicalJson(again)) return [];
  const others = new Map(again.pages.map((page) => [page.url, page]));
  const faults: string[] = [];
  for (const page of stated.pages) {
    const other = others.get(page.url);
    others.delete(page.url);
    if (!other) faults.push(`no certificate among the records names ${page.url}`);
    else if (canonicalJson(page) !== canonicalJson(other))
      faults.push(
        page.answer === other.answer
          ? `${page.url}: the records tell its intervals otherwise`
          : `${page.url}: stated ${page.answer}, by the records ${other.answer}: ${other.why}`,
      );
  }
  for (const { url, answer } of others.values()) faults.push(`${url}: left out, by the records ${answer}`);
  if (faults.length === 0) faults.push('its counts or its rule are not those of its pages');
  const more = faults.length - LISTED;
  return more > 0 ? [...faults.slice(0, LISTED), `${more} more differences`] : faults;
}

async function textOf({ payload }: Pick<WarcRecord, 'payload'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of payload.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
