/** Pictures of what a tab shows. */
import type { Picture } from '../../ports/renderer.ts';
import { type Tab, VIEWPORT } from './tab.ts';
import { within } from './within.ts';

const FORMAT = { format: 'jpeg', quality: 75 } as const;
const THUMBNAIL_WIDTH = 320;
/** Milliseconds for the browser to hand out a frame that it has drawn already. */
const FRAME_LIMIT = 2000;

/**
 * The first screen, as Browsertrix's `view`: what a visitor meets. A picture of the whole page was tried: it
 * took several times as long as all the rest, and made records of a megabyte a page.
 */
export async function takeView(tab: Tab): Promise<Picture> {
  const { data } = await tab.main.send('Page.captureScreenshot', { ...FORMAT, optimizeForSpeed: true });
  return jpeg(data);
}

/**
 * One frame of a screencast: the compositor shrinks what it has drawn. A screenshot with a scale would lay
 * out and paint the page anew in the small size, then once more in its own (measured: twice the processor
 * time and three times the wait), and decoding the view to shrink it here costs as much.
 */
export async function takeThumbnail({ main }: Tab): Promise<Picture> {
  try {
    const frame = new Promise<string>((resolve) => {
      main.on('Page.screencastFrame', ({ data }) => resolve(data));
    });
    await main.send('Page.startScreencast', {
      ...FORMAT,
      maxWidth: THUMBNAIL_WIDTH,
      maxHeight: Math.round((THUMBNAIL_WIDTH * VIEWPORT.height) / VIEWPORT.width),
    });
    const data = await within(FRAME_LIMIT, frame);
    if (data === undefined) throw new Error(`no thumbnail: no frame came within ${FRAME_LIMIT} ms`);
    return jpeg(data);
  } finally {
    main.on('Page.screencastFrame', () => {});
    main.send('Page.stopScreencast').catch(() => {});
  }
}

function jpeg(base64: string): Picture {
  return { contentType: 'image/jpeg', bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
}
