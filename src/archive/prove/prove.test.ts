import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { certifiedArchive, START, urlOf } from '../../../test/certified-archive.ts';
import { fieldOf, PAGES, rewrite } from '../../../test/tampered-archive.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { ProofStatement, SignedProof } from '../../model/proof.ts';
import { archiveSigner } from '../../storage/archive-key.ts';
import { newPrivateKey, signerOf } from '../../storage/ed25519.ts';
import { verifyProof } from '../verify/verify-proof.ts';
import { LONGEST_PHRASE, type ProveOptions, prove } from './prove.ts';

let archive: string;
let remove: () => Promise<void>;
let folder: string;
beforeEach(async () => {
  ({ archive, remove } = await certifiedArchive([
    ...PAGES,
    { name: 'cut', rate: 1e-5, visit: 5, revisit: 65, cut: true },
  ]));
  folder = await mkdtemp(join(tmpdir(), 'daguerre-proof-'));
});
afterEach(async () => {
  await remove();
  await rm(folder, { recursive: true });
});

const second = (at: number): number => START + at * 1000;
const ask = (more: Partial<ProveOptions> = {}) =>
  prove(
    { archive },
    {
      site: 'example.org',
      phrase: 'version 1  of',
      claim: 'present',
      from: second(35),
      to: second(35),
      now: second(1000),
      ...more,
    },
  );
const answers = ({ pages }: ProofStatement) =>
  Object.fromEntries(pages.map(({ url, answer }) => [url.slice(urlOf('').length) || '/', answer]));

async function written(text: string): Promise<string> {
  const file = join(folder, 'proof.json');
  await writeFile(file, text);
  return file;
}

/** The proof with another statement, still signed by the key of the archive. */
async function resigned(text: string, change: (statement: ProofStatement) => unknown): Promise<string> {
  const signer = await archiveSigner(archive);
  if (!signer) throw new Error('no key');
  const { statement, ...rest }: SignedProof = JSON.parse(text);
  const changed = change(statement) ?? statement;
  const signature = signer.sign(new TextEncoder().encode(canonicalJson(changed)));
  return canonicalJson({ ...rest, signature, statement: changed });
}

test('a phrase at a moment => proven on sharp pages, unknown where nothing proves it, cut pages too', async () => {
  const { statement, text } = await ask();
  expect(answers(statement)).toEqual({
    '/': 'proven',
    about: 'proven',
    news: 'unknown',
    shop: 'unknown',
    old: 'unknown',
    once: 'unknown',
    cut: 'unknown',
  });
  const { faults, signer } = await verifyProof({ archive }, await written(text));
  expect({ faults, signer }).toEqual({ faults: [], signer: 'own' });
});

test('absent => contradicted where it stood, proven of other words, unknown of time that no interval covers', async () => {
  expect(answers((await ask({ claim: 'absent' })).statement)).toMatchObject({ '/': 'contradicted' });
  const other = { phrase: 'version 2 of', claim: 'absent' } as const;
  expect(answers((await ask(other)).statement)).toMatchObject({ '/': 'proven', news: 'unknown' });
  // The home page is sharp from 0 to 70 s, the other from 10 to 60 s.
  const wide = await ask({ ...other, from: second(0), to: second(70) });
  expect(answers(wide.statement)).toMatchObject({ '/': 'proven', about: 'unknown' });
  const longer = await ask({ ...other, from: second(0), to: second(71) });
  expect(longer.statement.answers).toEqual({ proven: 0, contradicted: 0, unknown: 7 });
  expect((await verifyProof({ archive }, await written(longer.text))).faults).toEqual([]);
});

test('one page alone => that page', async () => {
  expect(answers((await ask({ page: urlOf('about') })).statement)).toEqual({ about: 'proven' });
});

test('no capture of the site, an empty phrase, a huge one, a time that ends before it begins => said so', async () => {
  await expect(ask({ site: 'nobody.org' })).rejects.toThrow(/no certificate .* names a page of nobody.org/);
  await expect(ask({ phrase: ' \n' })).rejects.toThrow(/phrase is empty/);
  await expect(ask({ phrase: 'x'.repeat(LONGEST_PHRASE + 1) })).rejects.toThrow(/1001 characters/);
  await expect(ask({ from: second(2), to: second(1) })).rejects.toThrow(/later than/);
});

test.each<[string, (statement: ProofStatement) => unknown, RegExp]>([
  [
    'an answer made better',
    ({ pages, ...rest }) => ({
      ...rest,
      pages: pages.map((page) => (page.url === urlOf('news') ? { ...page, answer: 'proven' } : page)),
    }),
    /news: stated proven, by the records unknown/,
  ],
  [
    'a page left out',
    ({ pages, ...rest }) => ({ ...rest, pages: pages.slice(1) }),
    /left out, by the records proven/,
  ],
  [
    'another phrase',
    (statement) => ({ ...statement, query: { ...statement.query, phrase: 'version 3 of' } }),
    /stated proven, by the records contradicted/,
  ],
  [
    'a count that is not that of the pages',
    (statement) => ({ ...statement, answers: { ...statement.answers, proven: 7 } }),
    /counts or its rule/,
  ],
])('%s, signed by the archive itself => found by the records', async (_, change, fault) => {
  const { text } = await ask();
  const { faults } = await verifyProof({ archive }, await written(await resigned(text, change)));
  expect(faults.join('\n')).toMatch(fault);
});

test('another key, a statement changed after it was signed, no JSON, no proof => refused', async () => {
  const { text } = await ask();
  const stranger = signerOf(newPrivateKey());
  const { statement, ...rest }: SignedProof = JSON.parse(text);
  const signature = stranger.sign(new TextEncoder().encode(canonicalJson(statement)));
  const other = canonicalJson({ ...rest, publicKey: stranger.publicKey, signature, statement });
  const { signer, faults } = await verifyProof({ archive }, await written(other));
  expect([signer, faults[0]]).toEqual(['unknown', expect.stringContaining('does not know')]);
  const edited = text.replace('"version 1  of"', '"version 2  of"');
  expect((await verifyProof({ archive }, await written(edited))).faults.join()).toMatch(
    /signature does not fit/,
  );
  await expect(verifyProof({ archive }, await written('{'))).rejects.toThrow(/no JSON/);
  await expect(verifyProof({ archive }, await written('{"algorithm":"Ed25519"}'))).rejects.toThrow(
    /no proof: publicKey/,
  );
});

test('a record whose payload was changed => the page is not as the records say', async () => {
  const { text } = await ask();
  const file = await written(text);
  await rewrite(archive, (records) => {
    const page = records.find(
      (record) =>
        fieldOf(record, 'WARC-Target-URI') === urlOf('about') && fieldOf(record, 'WARC-Type') === 'response',
    );
    if (!page) throw new Error('no record');
    page.block = Buffer.from(page.block.toString('latin1').replace('Version 1', 'Version 9'), 'latin1');
    return records;
  });
  expect((await verifyProof({ archive }, file)).faults.join()).toMatch(/about/);
});

test('certificates of a key that nobody has confirmed => their pages are unknown, and that is told', async () => {
  const list = join(archive, 'keys', 'keys.json');
  await writeFile(list, (await readFile(list, 'utf8')).replace('"own"', '"imported"'));
  await rm(join(archive, 'keys', 'private.pem'));
  const { statement, notes } = await ask();
  expect(statement.answers).toEqual({ proven: 0, contradicted: 0, unknown: 7 });
  expect(notes.join()).toMatch(/nobody has confirmed/);
});
