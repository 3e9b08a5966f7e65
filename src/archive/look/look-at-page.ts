import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { type CaptureName, NoSuchCapture, namedCapture } from '../../access/capture-name.ts';
import { captureResolver, redirectTarget } from '../../access/resolve-capture.ts';
import { storedAnswers } from '../../access/stored-answers.ts';
import { folderAnswers, openBrowserRenderer, openPageViewer } from '../../capture/browser/index.ts';
import { openGuardProxy } from '../../capture/http/guard-proxy.ts';
import { isRedirect } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { Layout } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { type SnapshotOutcome, unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { Millis } from '../../model/time.ts';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';
import type { PageViewer, ViewRequest } from '../../ports/page-viewer.ts';
import type { Picture, Renderer } from '../../ports/renderer.ts';
import { naming } from '../../ports/system-error.ts';
import { pageLayout } from '../../science/layout/page-layout.ts';
import type { SegmenterName } from '../../science/layout/segmenter.ts';
import { parseViXml, ViXmlError } from '../../science/layout/vi-xml.ts';
import { XmlError } from '../../science/layout/xml.ts';
import { checkPageFile } from '../given/page-file.ts';
import type { PageSource } from '../given/page-source.ts';
import { settledUrl } from '../given/seed-addresses.ts';
import { type ArchiveLocation, type OpenArchive, openForReading } from '../open/open-archive.ts';
import { userAgent } from '../user-agent.ts';
import { UserError } from '../user-error.ts';
import { LOOK_TIME_LIMIT } from './look-time-limit.ts';
import { missingFiles, otherFacts } from './missing-files.ts';
import { lookOffline } from './offline-look.ts';
import { openAdRecogniser } from './page-parts.ts';

/** For one response, in bytes. */
const SIZE_LIMIT = 64 * 1024 * 1024;
/** The URL that a file on disk pretends to have: a name that no host can have. */
export const FILE_URL = 'https://page.invalid/';

export interface LookOptions extends ArchiveLocation {
  readonly segmenter: SegmenterName;
  readonly allowPrivate: boolean;
  /** The URL a local file claims to have. */
  readonly url?: string;
  /** Whether to take a picture of the whole page too. */
  readonly picture: boolean;
  /** For one page in the browser, in milliseconds. */
  readonly timeLimit?: number;
  /** Called with what was decided on the caller's behalf. */
  readonly onFact: (fact: string) => void;
}

/** A page as it was looked at. A layout read from a file has nothing else. */
export interface InspectedPage {
  readonly layout: Layout;
  readonly snapshot?: PageSnapshot;
  readonly picture?: Picture;
  /** Status of the answer it came in; a file has none. */
  readonly status?: number;
  readonly facts: readonly string[];
}

/** Looks at versions of one page, the older first: each is cut along the lines of the one before. */
export interface PageEye {
  look(source: PageSource, now: Millis): Promise<InspectedPage>;
  close(): Promise<void>;
}

/** Looks at pages wherever they are; opens a browser, a network or an archive only when needed. */
export function openPageEye(options: LookOptions): PageEye {
  const closing: (() => Promise<void>)[] = [];
  const once = <T>(open: () => Promise<T>, close: (part: T) => Promise<void>) => {
    let opened: Promise<T> | undefined;
    return (): Promise<T> => {
      opened ??= open().then((part) => {
        closing.unshift(() => close(part));
        return part;
      });
      return opened;
    };
  };
  const viewer = once<PageViewer>(openPageViewer, (part) => part.close());
  const proxy = once(
    () => openGuardProxy({ allowPrivate: options.allowPrivate }),
    (part) => part.close(),
  );
  const renderer = once<Renderer>(
    async () => openBrowserRenderer({ spoolDir: tmpdir(), tabs: 1, now: Date.now, proxy: await proxy() }),
    (part) => part.close(),
  );
  const archive = once<OpenArchive>(
    () => openForReading(options),
    (part) => part.close(),
  );
  let ads: AdRecogniser | undefined;
  let last: Layout | undefined;

  const { timeLimit = LOOK_TIME_LIMIT } = options;
  const wholePage = options.picture ? ({ wholePage: 'png' } as const) : {};
  const seen = async (
    outcome: SnapshotOutcome | undefined,
    what: string,
    version: string,
    rest: Omit<InspectedPage, 'layout' | 'snapshot'>,
  ): Promise<InspectedPage> => {
    const snapshot = unpackSnapshot(packedOf(outcome, what, timeLimit));
    ads ??= (await openAdRecogniser()).recogniser;
    const { layout } = pageLayout(snapshot, {
      version,
      segmenter: options.segmenter,
      ads: boundTo(ads, snapshot.url),
      previous: last,
    });
    last = layout;
    return { layout, snapshot, ...rest };
  };

  async function show(answer: ViewRequest['answer'], url: string, version: string, what: string) {
    const request = { url, answer, timeLimit, ...wholePage };
    const { seen: view, scripts } = await lookOffline(
      async (withScripts) => (await viewer()).view({ ...request, scripts: withScripts }),
      ({ snapshot }) => (snapshot.kind === 'taken' ? unpackSnapshot(snapshot.packed) : undefined),
    );
    const facts = [...otherFacts(view.facts, view.missing), ...missingFiles(view.missing)];
    return seen(view.snapshot, what, version, {
      facts: scripts ? facts : [...facts, 'nothing is to be seen with its scripts: shown without them'],
      ...(view.fullView && { picture: view.fullView }),
    });
  }

  async function lookAtFile(path: string): Promise<InspectedPage> {
    await checkPageFile(path);
    const url = options.url ?? FILE_URL;
    const name = basename(path);
    const beside = folderAnswers(dirname(path), new URL('.', url).href);
    const own = folderAnswers(dirname(path), FILE_URL);
    return show(
      async (asked) => (asked === url ? own(FILE_URL + encodeURIComponent(name)) : beside(asked)),
      url,
      name,
      path,
    );
  }

  async function lookAtCapture(name: CaptureName): Promise<InspectedPage> {
    const { catalog, reader } = await archive();
    const { url, at } = await namedCapture(name, catalog);
    const resolver = captureResolver(catalog, reader);
    let page = url;
    for (let hops = 0; hops < 20; hops++) {
      const found = await resolver.resolve(page, at);
      if (found.kind !== 'found') {
        throw new UserError(
          found.kind === 'not-archived'
            ? `${page} is not in the archive: 'daguerre archive ${page}' captures it`
            : `the capture of ${page} refers to one that this archive does not hold`,
        );
      }
      const { capture } = found;
      await capture.payload.release();
      const target = isRedirect(capture.status) ? redirectTarget(capture) : undefined;
      if (target === undefined) {
        const version = new Date(capture.fact.at).toISOString();
        const answers = storedAnswers(resolver, capture.fact.at);
        const shown = await show(answers, capture.fact.url, version, `${page}@${version}`);
        return { ...shown, status: capture.status };
      }
      page = target;
    }
    throw new UserError(`${url} redirects without end at that time`);
  }

  async function lookLive(url: string, now: Millis): Promise<InspectedPage> {
    const rendering = await (await renderer()).render({
      url,
      userAgent: userAgent(),
      timeLimit,
      sizeLimit: SIZE_LIMIT,
      screenshots: false,
      snapshot: true,
      ...wholePage,
    });
    for (const { response } of rendering.exchanges) await response.body.release();
    // In starting order: the document comes before what it embeds.
    const status = rendering.exchanges.find(({ response }) => !isRedirect(response.status))?.response.status;
    return seen(rendering.snapshot, url, new Date(now).toISOString(), {
      facts: rendering.facts,
      ...(status !== undefined && { status }),
      ...(rendering.fullView && { picture: rendering.fullView }),
    });
  }

  return {
    async look(source, now) {
      try {
        switch (source.kind) {
          case 'layout':
            last = await readLayout(source.path);
            return { layout: last, facts: [] };
          case 'file':
            return await lookAtFile(source.path);
          case 'capture':
            return await lookAtCapture(source);
          case 'live':
            return await lookLive(
              await settledUrl(source, { allowPrivate: options.allowPrivate, say: options.onFact }),
              now,
            );
        }
      } catch (error) {
        if (error instanceof NoSuchCapture) throw new UserError(error.message);
        if (error instanceof CaptureFault) throw new UserError(error.message, 'nothing-captured');
        throw error;
      }
    },
    async close() {
      for (const close of closing) await close();
    },
  };
}

function packedOf(outcome: SnapshotOutcome | undefined, what: string, timeLimit: number): string {
  if (outcome?.kind === 'taken') return outcome.packed;
  const why =
    outcome?.reason === 'not-html'
      ? `it is ${outcome.contentType}, not HTML`
      : outcome?.reason === 'nothing-shown' || outcome === undefined
        ? 'the browser showed nothing'
        : outcome.reason === 'no-time'
          ? `it was not ready within ${timeLimit / 1000} s (--time-limit)`
          : 'the page could not be read in the browser';
  throw new UserError(`${what} has no layout: ${why}`, 'nothing-captured');
}

function boundTo(recogniser: AdRecogniser, pageUrl: string) {
  return {
    byUrl: (url: string, kind: 'link' | 'image' | 'frame') => recogniser.isAdvertisement(url, pageUrl, kind),
    hidden: (names: { classes: string[]; ids: string[]; hrefs: string[] }) =>
      recogniser.hidden(pageUrl, names),
  };
}

async function readLayout(path: string): Promise<Layout> {
  try {
    return parseViXml(await naming(path, readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof ViXmlError || error instanceof XmlError)
      throw new UserError(`${path} is no layout: ${error.message}`);
    throw error;
  }
}
