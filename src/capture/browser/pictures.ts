/** Pictures of what a tab shows. */
import type { Picture } from '../../ports/renderer.ts';
import type { Tab } from './tab.ts';
import { VIEWPORT, type Viewport } from './tab-manner.ts';
import { within } from './within.ts';

const FORMAT = { format: 'jpeg', quality: 75 } as const;
const THUMBNAIL_WIDTH = 320;
/** Milliseconds for the browser to hand out a frame it has already drawn. */
const FRAME_LIMIT = 2000;

/**
 * The first screen, as Browsertrix's `view`: what a visitor meets. A picture of the whole page was tried: it took
 * several times as long as everything else, and made records of a megabyte per page.
 */
export async function takeView(tab: Tab): Promise<Picture> {
  const { data } = await tab.main.send('Page.captureScreenshot', { ...FORMAT, optimizeForSpeed: true });
  return jpeg(data);
}

/**
 * One frame of a screencast: the compositor shrinks what it has drawn. A screenshot with a scale would lay out and
 * paint the page again in the small size, then once more in its own (measured: twice the processor time and three
 * times the wait), and decoding the view to shrink it here costs as much.
 */
export async function takeThumbnail(tab: Pick<Tab, 'main'>, window: Viewport = VIEWPORT): Promise<Picture> {
  const height = Math.round((THUMBNAIL_WIDTH * window.height) / window.width);
  const picture = await takeFrame(tab, { width: THUMBNAIL_WIDTH, height, quality: FORMAT.quality });
  if (!picture) throw new Error(`no thumbnail: no frame came within ${FRAME_LIMIT} ms`);
  return picture;
}

export interface FrameSize {
  readonly width: number;
  readonly height?: number;
  /** JPEG quality, up to 100. */
  readonly quality: number;
}

/** What the compositor has drawn, scaled to a width; undefined if it has drawn nothing, or is no longer wanted. */
export async function takeFrame(
  { main }: Pick<Tab, 'main'>,
  { width, height = width, quality }: FrameSize,
  wanted?: AbortSignal,
): Promise<Picture | undefined> {
  if (wanted?.aborted) return undefined;
  const end = (): void => {
    main.on('Page.screencastFrame', () => {});
    main.send('Page.stopScreencast').catch(() => {});
  };
  let leave = (): void => {};
  try {
    const frame = new Promise<string | undefined>((resolve) => {
      main.on('Page.screencastFrame', ({ data }) => resolve(data));
      // At once, before the next caller begins a screencast of its own.
      leave = () => {
        end();
        resolve(undefined);
      };
      wanted?.addEventListener('abort', leave, { once: true });
    });
    await main.send('Page.startScreencast', {
      ...{ format: FORMAT.format, quality, maxWidth: width, maxHeight: height },
    });
    const data = await within(FRAME_LIMIT, frame);
    return data === undefined ? undefined : jpeg(data);
  } finally {
    wanted?.removeEventListener('abort', leave);
    if (!wanted?.aborted) end();
  }
}

function jpeg(base64: string): Picture {
  return { contentType: 'image/jpeg', bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
}
