import { createPageReader } from '../../capture/page-reader.ts';
import type { MirrorFact } from '../../model/mirror.ts';
import { findMirrors } from '../../stages/find-mirrors.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { briefly } from '../short-wait.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { writeOrAsk } from '../writer/write-or-ask.ts';
import { keepMirrors, keptMirrors } from './mirror-journal.ts';

export interface MirrorsOptions {
  /** Record what is above the bound, so that the next crawl heeds it. */
  readonly keep: boolean;
  /** Mirroring sites that a person has decided on. */
  readonly confirm: readonly string[];
  readonly reject: readonly string[];
}

export interface MirrorsReport {
  readonly mirrors: readonly MirrorFact[];
  /** Facts that were recorded. */
  readonly kept: number;
}

/**
 * Looks for sites of the archive that mirror another. Decisions, and with `keep` the clear findings, are recorded, by
 * whichever process writes to the archive.
 */
export async function mirrors(location: ArchiveLocation, options: MirrorsOptions): Promise<MirrorsReport> {
  const { keep, confirm, reject } = options;
  if (keep || confirm.length + reject.length > 0)
    return writeOrAsk(briefly(location), {
      ask: 'mirrors',
      input: () => options,
      write: (archive) => decideMirrors(archive, options),
    });
  const archive = await openForReading(location);
  try {
    return { mirrors: (await judgedMirrors(archive, options)).standing, kept: 0 };
  } finally {
    await archive.close();
  }
}

export async function decideMirrors(archive: OpenArchive, options: MirrorsOptions): Promise<MirrorsReport> {
  const { standing, known } = await judgedMirrors(archive, options);
  const decided = standing.filter((fact) => isNews(fact, known, options));
  await keepMirrors(archive, decided);
  return { mirrors: standing, kept: decided.length };
}

async function judgedMirrors(
  archive: Pick<OpenArchive, 'catalog' | 'reader'>,
  options: MirrorsOptions,
): Promise<{ readonly standing: readonly MirrorFact[]; readonly known: readonly MirrorFact[] }> {
  const kept = await keptMirrors(archive);
  // A person says that it is the other way round.
  const turned = kept.filter(
    ({ mirror, origin, standing }) =>
      standing !== 'rejected' &&
      options.confirm.includes(origin) &&
      !options.confirm.includes(mirror) &&
      !kept.some((other) => other.mirror === origin),
  );
  const known = kept.map((fact): MirrorFact => {
    const { mirror, origin } = fact;
    return turned.includes(fact) ? { ...fact, mirror: origin, origin: mirror } : fact;
  });
  const now = systemClock.now();
  const found = await findMirrors({ ...archive, pageReader: createPageReader() }, now, known);
  const not = turned.map((fact): MirrorFact => ({ ...fact, standing: 'rejected', checkedAt: now }));
  return { standing: [...withDecisions(withKnown(found, known), options), ...not], known: kept };
}

const isPair = (a: MirrorFact, b: MirrorFact): boolean => a.mirror === b.mirror && a.origin === b.origin;

/**
 * What a person said stays. An ended mirror that is found again becomes one again; one that was clear and no longer is
 * has ended. What can no longer be compared is reported as it was.
 */
function withKnown(found: readonly MirrorFact[], known: readonly MirrorFact[]): readonly MirrorFact[] {
  const now = found.map((fact): MirrorFact => {
    const before = known.find((one) => isPair(one, fact));
    const isDecided = before?.standing === 'confirmed' || before?.standing === 'rejected';
    if (isDecided) return { ...fact, standing: before.standing };
    const wasClear = before?.standing === 'automatic' || before?.standing === 'ended';
    return wasClear && fact.standing === 'suspected' ? { ...fact, standing: 'ended' } : fact;
  });
  const isFound = (fact: MirrorFact): boolean =>
    found.some((one) => isPair(one, fact) || (one.mirror === fact.origin && one.origin === fact.mirror));
  return [...now, ...known.filter((fact) => !isFound(fact))];
}

function withDecisions(
  facts: readonly MirrorFact[],
  { confirm, reject }: MirrorsOptions,
): readonly MirrorFact[] {
  for (const site of [...confirm, ...reject])
    if (!facts.some(({ mirror }) => mirror === site)) {
      const names = [...new Set(facts.map(({ mirror }) => mirror))].slice(0, 20).join(', ');
      throw new UserError(`${site} is not found to mirror another site; those that are: ${names || 'none'}`);
    }
  const both = confirm.find((site) => reject.includes(site));
  if (both !== undefined) throw new UserError(`${both} cannot be both confirmed and rejected`);
  return facts.map((fact) => {
    if (confirm.includes(fact.mirror)) return { ...fact, standing: 'confirmed' };
    return reject.includes(fact.mirror) ? { ...fact, standing: 'rejected' } : fact;
  });
}

/** A decision is kept even if nothing changed; a finding only if it is clear, or changes what is kept. */
function isNews(
  fact: MirrorFact,
  known: readonly MirrorFact[],
  { keep, confirm, reject }: MirrorsOptions,
): boolean {
  if (confirm.includes(fact.mirror) || reject.includes(fact.mirror)) return true;
  if (fact.standing === 'rejected' && confirm.includes(fact.origin)) return true;
  if (!keep || fact.standing === 'suspected') return false;
  const before = known.find((one) => isPair(one, fact));
  return JSON.stringify({ ...before, checkedAt: 0 }) !== JSON.stringify({ ...fact, checkedAt: 0 });
}
