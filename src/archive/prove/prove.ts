import { siteNamed } from '../../access/site-name.ts';
import { pageText } from '../../capture/html/page-text.ts';
import { createPageReader } from '../../capture/page-reader.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type {
  ProofClaim,
  ProofInterval,
  ProofQuery,
  ProofStatement,
  SignedProof,
} from '../../model/proof.ts';
import type { Millis } from '../../model/time.ts';
import { storedResponse } from '../../ports/record-store.ts';
import {
  folded,
  namedPages,
  proofStatement,
  type SharpVisits,
  showsPhrase,
} from '../../science/sharpness/proof.ts';
import { SYSTEM_CLOCK } from '../../stages/certify.ts';
import { archiveSigner } from '../../storage/archive-key.ts';
import { keysOfArchive } from '../../storage/shared-keys.ts';
import { storedCertificates } from '../certificate-files.ts';
import { archiveKeys } from '../keys.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { UserError } from '../user-error.ts';
import { signatureOf } from '../verify/signature-of.ts';
import { VERSION } from '../version.ts';
import { type FoundCertificate, statementsOf } from './trusted-statements.ts';

export interface ProveOptions {
  /** Host of the site, or any URL of it. */
  readonly site: string;
  readonly phrase: string;
  readonly claim: ProofClaim;
  readonly from: Millis;
  readonly to: Millis;
  readonly page?: string;
  readonly now: Millis;
}

export interface Proof {
  readonly statement: ProofStatement;
  /** The signed statement, as written to the file. */
  readonly text: string;
  readonly notes: readonly string[];
}

/** In characters: a sentence, or a paragraph. */
export const LONGEST_PHRASE = 1_000;

/** Whether a phrase was on the pages of a site, or was not, as far as sharp intervals prove it; signed by the archive. */
export async function prove(location: ArchiveLocation, options: ProveOptions): Promise<Proof> {
  checkPhrase(options.phrase);
  if (options.from > options.to) throw new UserError('--from is later than --to');
  const archive = await openForReading(location);
  try {
    const { query, found } = await asked(archive, options);
    const madeAt = new Date(options.now).toISOString();
    const { siteOf } = archive.catalog.siteBounds();
    const statements = statementsOf(found, options.now);
    const pages = namedPages(statements, query, (url) => siteOf(url) === query.site);
    if (pages.length === 0) throw new UserError(nothingNamed(query));
    const answered = [];
    for (const page of pages) {
      const intervals: ProofInterval[] = [];
      for (const sharp of page.sharp) intervals.push(await intervalOf(sharp, query.phrase, archive));
      answered.push({ page, intervals });
    }
    const context = { software: `Daguerre/${VERSION}`, clock: SYSTEM_CLOCK, madeAt };
    const statement = proofStatement(query, answered, context);
    const untrusted = found.filter(({ isTrusted }) => !isTrusted).length;
    return {
      statement,
      text: await signed(statement, archive),
      notes:
        untrusted === 0
          ? []
          : [
              `${untrusted} certificates prove nothing here: nobody has confirmed the key that signed them (daguerre key import)`,
            ],
    };
  } finally {
    await archive.close();
  }
}

function checkPhrase(phrase: string): void {
  if (phrase.length > LONGEST_PHRASE)
    throw new UserError(`the phrase has ${phrase.length} characters; at most ${LONGEST_PHRASE} are compared`);
  if (folded(phrase) === '')
    throw new UserError('the phrase is empty: name the words that stood there, or did not');
}

function nothingNamed({ site, page }: ProofQuery): string {
  const what = page === undefined ? `a page of ${site}` : page;
  return `no certificate in the archive names ${what}: archive the site with --revisit sharp first`;
}

async function asked(
  archive: OpenArchive,
  { site: given, phrase, claim, from, to, page }: ProveOptions,
): Promise<{ readonly query: ProofQuery; readonly found: readonly FoundCertificate[] }> {
  const { folder, catalog } = archive;
  const site = siteNamed(given, catalog.siteBounds());
  if (site === '') throw new UserError(`'${given}' is no site: name a host, or any URL of it`);
  const known = await keysOfArchive(folder);
  const found: FoundCertificate[] = [];
  for await (const { fact, certificate } of storedCertificates(folder, catalog)) {
    const { signer, faults } = signatureOf(fact, certificate, { known });
    found.push({ at: fact.at, certificate, isTrusted: faults.length === 0 && signer !== 'imported' });
  }
  const iso = (at: Millis): string => new Date(at).toISOString();
  const query = { site, phrase, claim, from: iso(from), to: iso(to), ...(page !== undefined && { page }) };
  return { query, found };
}

const pageReader = createPageReader();

async function intervalOf(
  { url, visit, revisit }: SharpVisits,
  phrase: string,
  { catalog, reader }: OpenArchive,
): Promise<ProofInterval> {
  const none: ProofInterval = { visit, revisit, shows: null };
  const fact = await catalog.captureByRecordId(visit.record);
  const original = fact && (await catalog.originalOf(fact));
  if (!fact || !original || original.truncated || fact.digest.sha256 !== visit.sha256) return none;
  const response = storedResponse(await reader.read(original));
  const source = response && (await pageReader.readSource({ url, response }));
  if (source === undefined) return none;
  const rendered = await renderedText(url, fact.eventId, phrase, { catalog, reader });
  return { visit, revisit, shows: showsPhrase(pageText(source), phrase), ...(rendered && { rendered }) };
}

/** What the browser showed at that visit, where its text was stored. */
async function renderedText(
  url: string,
  eventId: string | undefined,
  phrase: string,
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
): Promise<ProofInterval['rendered']> {
  if (eventId === undefined) return undefined;
  for await (const fact of catalog.captures({ url: `urn:text:${url}` })) {
    if (fact.eventId !== eventId || fact.type !== 'resource') continue;
    const { payload } = await reader.read(fact);
    const chunks: Uint8Array[] = [];
    for await (const chunk of payload.chunks()) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return { record: fact.recordId, shows: showsPhrase(text, phrase) };
  }
  return undefined;
}

async function signed(statement: ProofStatement, { folder }: OpenArchive): Promise<string> {
  // An archive of imported records only has no key yet.
  await archiveKeys(folder.root);
  const signer = await archiveSigner(folder.root);
  if (!signer) throw new UserError(`${folder.root}: the archive has no key to sign with (daguerre key)`);
  const proof: SignedProof = {
    algorithm: 'Ed25519',
    publicKey: signer.publicKey,
    signature: signer.sign(new TextEncoder().encode(canonicalJson(statement))),
    statement,
  };
  return `${canonicalJson(proof)}\n`;
}
