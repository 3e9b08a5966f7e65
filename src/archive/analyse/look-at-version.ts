import {
  type CaptureResolver,
  captureResolver,
  isOlderStandIn,
  isOtherVersion,
  type ResolvedCapture,
} from '../../access/resolve-capture.ts';
import { storedAnswers } from '../../access/stored-answers.ts';
import { openPageViewer } from '../../capture/browser/index.ts';
import { mediaType } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { type SnapshotOutcome, unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { Millis } from '../../model/time.ts';
import type { PageViewer, View, ViewRequest } from '../../ports/page-viewer.ts';
import type { Picture } from '../../ports/renderer.ts';
import { whyNone } from '../../stages/analyse-page.ts';
import { LARGEST_PICTURE, withPictures } from '../../stages/stored/snapshot.ts';
import { missingFiles, otherFacts } from '../look/missing-files.ts';
import { showsSomething } from '../look/offline-look.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** What the archive can show of a stored version. */
export interface LookedAt {
  /** The page as archived, pictures included; absent where nothing is visible. */
  readonly packed?: string;
  readonly facts: readonly string[];
  /** URLs that the page asked for and the archive does not hold. */
  readonly missing: readonly string[];
  /** Where pictures were requested and could be taken. */
  readonly firstScreen?: Picture;
  readonly thumbnail?: Picture;
}

export interface VersionEyeOptions {
  readonly tabs: number;
  /** For one version, in milliseconds. */
  readonly timeLimit: number;
  /**
   * Shows only what a reader of replay would see: a page that shows nothing with its scripts shows nothing, and a
   * damaged page is replaced by what was fetched again for it. Otherwise a version is shown from its own bytes or not
   * at all.
   */
  readonly asReplayed?: true;
  readonly pictures?: true;
}

/** The manner in which the live page was looked at. */
export type LookManner = Pick<ViewRequest, 'behaviors' | 'device'>;

export interface VersionEye {
  look(url: string, at: Millis, manner?: LookManner): Promise<LookedAt>;
  close(): Promise<void>;
}

/**
 * Shows stored versions in a browser that reaches no network: each request is answered with what the archive holds for
 * it, closest in time to the capture, or not at all.
 */
export function openVersionEye(
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
  { tabs, timeLimit, asReplayed, pictures: isPictured }: VersionEyeOptions,
): VersionEye {
  const resolver = captureResolver(catalog, reader);
  let opened: Promise<PageViewer> | undefined;
  // Damaged versions, and those that have a snapshot already, need no browser.
  const viewer = (): Promise<PageViewer> => {
    opened ??= openPageViewer({ tabs });
    return opened;
  };

  async function view(url: string, at: Millis, scripts: boolean, manner: LookManner): Promise<Shown> {
    const pictures = new Map<string, string>();
    const damaged = new Set<string>();
    const answer = storedAnswers(noting(resolver, { pictures, damaged }), at);
    try {
      const seen = await (await viewer()).view({
        ...{ url, answer, scripts, timeLimit, ...manner },
        ...(isPictured && { pictures: true }),
      });
      return { ...seen, missing: [...new Set([...seen.missing, ...damaged])], pictures };
    } catch (error) {
      if (!(error instanceof CaptureFault)) throw error;
      const snapshot = { kind: 'none', reason: 'unreadable' } as const;
      return { snapshot, missing: [], facts: [error.message], pictures };
    }
  }

  return {
    async look(url, at, manner = {}) {
      const problem = await whyUnreadable(resolver, url, at, asReplayed ? isOlderStandIn : isOtherVersion);
      if (problem !== undefined) return { facts: [`no layout: ${problem}`], missing: [url] };
      let shown = await view(url, at, true, manner);
      const notes: string[] = [];
      if (!asReplayed && !isSeen(shown.snapshot)) {
        const why = shown.snapshot.kind === 'none' ? whyNone(shown.snapshot) : 'nothing is to be seen';
        const plain = await view(url, at, false, manner);
        if (plain.snapshot.kind === 'taken') {
          notes.push(`shown without its scripts; with them ${why}`);
          shown = plain;
        }
      }
      const facts = [
        ...otherFacts(shown.facts, shown.missing).filter(isOfPage),
        ...missingFiles(shown.missing),
        ...notes,
      ];
      const { missing } = shown;
      if (shown.snapshot.kind === 'none')
        return { facts: [...facts, `no layout: ${whyNone(shown.snapshot)}`], missing };
      const pictures = [...shown.pictures].sort(([a], [b]) => (a < b ? -1 : 1));
      const { firstScreen, thumbnail } = shown;
      return {
        packed: withPictures(shown.snapshot.packed, Object.fromEntries(pictures)),
        ...{ facts, missing },
        ...(firstScreen && { firstScreen }),
        ...(thumbnail && { thumbnail }),
      };
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

type Shown = Pick<View, 'snapshot' | 'missing' | 'facts' | 'firstScreen' | 'thumbnail'> & {
  readonly pictures: ReadonlyMap<string, string>;
};

/** Facts about how this machine runs a browser say nothing about the page. */
const isOfPage = (fact: string): boolean => !fact.startsWith('the browser runs ');

const isSeen = (snapshot: SnapshotOutcome): boolean =>
  snapshot.kind === 'taken'
    ? showsSomething(unpackSnapshot(snapshot.packed))
    : snapshot.reason === 'not-html';

/** Checks the document itself before a browser is used: a missing page would show nothing. */
async function whyUnreadable(
  resolver: CaptureResolver,
  url: string,
  at: Millis,
  isWrong: (capture: ResolvedCapture) => boolean,
): Promise<string | undefined> {
  try {
    const found = await resolver.resolve(url, at);
    if (found.kind === 'original-missing') return 'it refers to a capture that the archive does not hold';
    if (found.kind !== 'found') return 'its record is not in the archive';
    await found.capture.payload.release();
    const { standsFor } = found.capture;
    return standsFor && isWrong(found.capture)
      ? `its record cannot be read: ${standsFor.file} at ${standsFor.offset} is damaged, and what else is kept of the page is of another time`
      : undefined;
  } catch (error) {
    return `its record cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface Noted {
  /** Digests of the pictures that the page received, by URL. */
  readonly pictures: Map<string, string>;
  /** URLs shown from an older record because theirs is damaged. */
  readonly damaged: Set<string>;
}

function noting(resolver: CaptureResolver, { pictures, damaged }: Noted): CaptureResolver {
  return {
    async resolve(url, at) {
      const found = await resolver.resolve(url, at);
      if (found.kind !== 'found') return found;
      if (isOlderStandIn(found.capture)) damaged.add(url);
      const { status, headers, fact, original } = found.capture;
      const { sha256, size } = (original ?? fact).digest;
      const isPicture = status === 200 && mediaType(headers).startsWith('image/');
      if (isPicture && sha256 !== '' && size <= LARGEST_PICTURE && fact.truncated === undefined)
        pictures.set(url, sha256);
      return found;
    },
  };
}
