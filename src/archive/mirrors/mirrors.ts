import { createPageReader } from '../../capture/page-reader.ts';
import type { MirrorFact } from '../../model/mirror.ts';
import { findMirrors } from '../../stages/find-mirrors.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForReading,
  openForWriting,
} from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { keepMirrors, keptMirrors } from './mirror-journal.ts';

export interface MirrorsOptions {
  /** Write down what is above the bound, so that the next crawl heeds it. */
  readonly keep: boolean;
  /** Mirroring sites that a person has decided on. */
  readonly confirm: readonly string[];
  readonly reject: readonly string[];
}

export interface MirrorsReport {
  readonly mirrors: readonly MirrorFact[];
  /** Facts that were written down. */
  readonly kept: number;
}

/** Looks for sites of the archive that mirror another; with a decision, or to keep what is clear, writes it down. */
export async function mirrors(location: ArchiveLocation, options: MirrorsOptions): Promise<MirrorsReport> {
  const { keep, confirm, reject } = options;
  const isWriting = keep || confirm.length + reject.length > 0;
  const archive = isWriting ? await openForWriting(location, 'mirrors') : await openForReading(location);
  try {
    const known = await keptMirrors(archive);
    const found = await findMirrors({ ...archive, pageReader: createPageReader() }, systemClock.now());
    const standing = withDecisions(withKnown(found, known), options);
    const decided = standing.filter((fact) => isNews(fact, known, options));
    await keepMirrors(archive as OpenArchive, isWriting ? decided : []);
    return { mirrors: standing, kept: isWriting ? decided.length : 0 };
  } finally {
    await archive.close();
  }
}

const isPair = (a: MirrorFact, b: MirrorFact): boolean => a.mirror === b.mirror && a.origin === b.origin;

/** What a person said stays; a mirror that ended is one again where it is found to be. What is no longer found is told as it was. */
function withKnown(found: readonly MirrorFact[], known: readonly MirrorFact[]): readonly MirrorFact[] {
  const now = found.map((fact): MirrorFact => {
    const before = known.find((one) => isPair(one, fact));
    const isDecided = before?.standing === 'confirmed' || before?.standing === 'rejected';
    return isDecided ? { ...fact, standing: before.standing } : fact;
  });
  return [...now, ...known.filter((fact) => !found.some((one) => isPair(one, fact)))];
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

/** A decision is kept though nothing changed; what was found only where it is clear, or changes what is kept. */
function isNews(
  fact: MirrorFact,
  known: readonly MirrorFact[],
  { keep, confirm, reject }: MirrorsOptions,
): boolean {
  if (confirm.includes(fact.mirror) || reject.includes(fact.mirror)) return true;
  if (!keep || fact.standing === 'suspected') return false;
  const before = known.find((one) => isPair(one, fact));
  return JSON.stringify({ ...before, checkedAt: 0 }) !== JSON.stringify({ ...fact, checkedAt: 0 });
}
