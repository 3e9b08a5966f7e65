import type { CertificateStatement, CertifiedPage, SignedCertificate } from '../../model/certificate.ts';
import { GROUP_KINDS } from '../../model/page-group.ts';
import { REVISIT_MODES } from '../../model/site-capture.ts';

/** The text is not a certificate that can be checked: what is wrong, in words. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/**
 * Reads a certificate as far as needed to check it: whether the rest is correct shows when the statement is
 * computed again and compared, member by member.
 */
export function readCertificate(text: string): SignedCertificate {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CertificateError('the certificate is not JSON');
  }
  const envelope = objectAt(value, 'the certificate');
  if (envelope.algorithm !== 'Ed25519') {
    throw new CertificateError(
      `the certificate is signed with ${JSON.stringify(envelope.algorithm)}, not Ed25519`,
    );
  }
  textAt(envelope, 'publicKey', '');
  textAt(envelope, 'signature', '');
  checkStatementShape(envelope.statement);
  return value as SignedCertificate;
}

function checkStatementShape(value: unknown): asserts value is CertificateStatement {
  const statement = objectAt(value, 'statement');
  if (
    statement.type !== 'daguerre-certificate' ||
    ![1, 2, 3, 4, 5, 6].includes(statement.version as number)
  ) {
    throw new CertificateError(
      `the statement is of type ${JSON.stringify(statement.type)}, version ${JSON.stringify(statement.version)}: ` +
        'only versions 1 to 6 of daguerre-certificate are known',
    );
  }
  const crawl = objectAt(statement.crawl, 'statement.crawl');
  textAt(statement, 'software', 'statement.');
  textAt(statement, 'clock', 'statement.');
  textAt(crawl, 'key', 'statement.crawl.');
  textAt(crawl, 'order', 'statement.crawl.');
  timeAt(crawl, 'startedAt', 'statement.crawl.');
  timeAt(crawl, 'finishedAt', 'statement.crawl.');
  if (!REVISIT_MODES.some((mode) => mode === crawl.revisit))
    fail('statement.crawl.revisit', 'no revisit mode');
  if (!Array.isArray(crawl.seeds) || crawl.seeds.some((seed) => typeof seed !== 'string')) {
    fail('statement.crawl.seeds', 'no list of URLs');
  }
  if (!Array.isArray(statement.pages)) fail('statement.pages', 'no list');
  (statement.pages as unknown[]).forEach(checkPageShape);
  if ((statement.version as number) < 3) return;
  if (!Array.isArray(statement.inferred)) fail('statement.inferred', 'no list');
  (statement.inferred as unknown[]).forEach(checkInferenceShape);
  if (statement.groups !== undefined) checkGroups(statement.groups);
  if ((statement.version as number) < 5 || statement.observation === null) return;
  const observation = objectAt(statement.observation, 'statement.observation');
  if (observation.previousEnd !== null) timeAt(observation, 'previousEnd', 'statement.observation.');
}

function checkPageShape(value: unknown, index: number): asserts value is CertifiedPage {
  const path = `statement.pages[${index}]`;
  const page = objectAt(value, path);
  textAt(page, 'url', `${path}.`);
  if (typeof page.rate !== 'number' || !(page.rate >= 0)) fail(`${path}.rate`, 'no number >= 0');
  if (page.visiblyUnchanged !== undefined && typeof page.visiblyUnchanged !== 'boolean') {
    fail(`${path}.visiblyUnchanged`, 'neither true nor false');
  }
  checkVisitShape(page.visit, `${path}.visit`);
  if (page.revisit !== undefined) checkVisitShape(page.revisit, `${path}.revisit`);
  if (page.changes !== undefined) {
    if (!Array.isArray(page.changes)) fail(`${path}.changes`, 'no list');
    for (const time of page.changes as unknown[]) timeAt({ change: time }, 'change', `${path}.changes: `);
  }
}

function checkGroups(value: unknown): void {
  if (!Array.isArray(value)) fail('statement.groups', 'no list');
  (value as unknown[]).forEach((one, index) => {
    const path = `statement.groups[${index}]`;
    const { kind, pages } = objectAt(one, path);
    if (!GROUP_KINDS.some((known) => known === kind))
      fail(`${path}.kind`, `none of ${GROUP_KINDS.join(', ')}`);
    if (!Array.isArray(pages) || pages.some((url) => typeof url !== 'string'))
      fail(`${path}.pages`, 'no list of URLs');
  });
}

function checkInferenceShape(value: unknown, index: number): void {
  const path = `statement.inferred[${index}]`;
  const inference = objectAt(value, path);
  for (const name of ['site', 'directory', 'reason', 'rule']) textAt(inference, name, `${path}.`);
  timeAt(inference, 'lastSeen', `${path}.`);
  for (const name of ['confidence', 'expectedMissed'])
    if (typeof inference[name] !== 'number') fail(`${path}.${name}`, 'no number');
  if (!Array.isArray(inference.pages)) fail(`${path}.pages`, 'no list');
  const unseen = inference.unseen ?? [];
  if (!Array.isArray(unseen) || unseen.some((url) => typeof url !== 'string'))
    fail(`${path}.unseen`, 'no list of URLs');
  (inference.pages as unknown[]).forEach((page, i) => {
    checkVisitShape(page, `${path}.pages[${i}]`);
    textAt(page as Record<string, unknown>, 'url', `${path}.pages[${i}].`);
  });
}

function checkVisitShape(value: unknown, path: string): void {
  const visit = objectAt(value, path);
  textAt(visit, 'record', `${path}.`);
  textAt(visit, 'sha256', `${path}.`);
  timeAt(visit, 'time', `${path}.`);
  if (!Number.isInteger(visit.status)) fail(`${path}.status`, 'no HTTP status');
}

function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'no object');
  return value as Record<string, unknown>;
}

function textAt(object: Record<string, unknown>, name: string, path: string): void {
  if (typeof object[name] !== 'string') fail(path + name, 'no text');
}

function timeAt(object: Record<string, unknown>, name: string, path: string): void {
  const value = object[name];
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) fail(path + name, 'no time');
}

function fail(path: string, what: string): never {
  throw new CertificateError(`${path} is ${what}`);
}
