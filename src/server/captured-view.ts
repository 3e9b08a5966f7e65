import type { CaptureResolver, ResolvedCapture } from '../access/resolve-capture.ts';
import { escaped } from '../access/safe-html.ts';
import { snapshotPage } from '../access/snapshot-page.ts';
import type { PageInfo } from '../model/capture.ts';
import { pageInfoUri, snapshotUri, viewUri } from '../model/derived-uris.ts';
import { header } from '../model/exchange.ts';
import { unpackSnapshot } from '../model/snapshot-codec.ts';
import type { Millis } from '../model/time.ts';

/**
 * What the browser showed when a page was captured, for replay without scripts: in place of a page that its scripts
 * had drawn, and whose HTML alone says little of it.
 */

/** Of the text that was shown, the share that the HTML must hold to stand for itself. */
const ENOUGH = 0.5;
/** Characters. Pages that showed less are not judged by their text. */
const LEAST_TEXT = 40;
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** A page out of what was stored; undefined where the HTML stands for itself, or nothing was stored. */
export async function capturedView(
  resolver: CaptureResolver,
  { fact }: ResolvedCapture,
  html: string,
): Promise<string | undefined> {
  const { url, at } = fact;
  const text = await derived(resolver, `urn:text:${url}`, at);
  const shown = text?.bytes.toString('utf8').trim() ?? '';
  if (shown.length < LEAST_TEXT || textLength(html) >= shown.length * ENOUGH) return undefined;
  const snapshot = await drawnSnapshot(resolver, url, at);
  const picture = await derived(resolver, viewUri(url), at);
  const image =
    picture && PICTURES.has(picture.type)
      ? `<img alt="The first screen as the browser showed it" src="data:${picture.type};base64,${picture.bytes.toString('base64')}">`
      : '';
  const also = `${image}<pre>${escaped(shown)}</pre>`;
  const what = [
    snapshot && 'its words, pictures and colours in their places',
    image && 'a picture of the first screen',
    'the text',
  ];
  const title = /<title[^>]*>([^<]*)/iu.exec(html)?.[1] ?? '';
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><style>
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#222}
.said,summary{margin:0;padding:.6rem 1rem;background:#f3efe6;border:solid #d8d0bf;border-width:1px 0;font-size:.9rem}
.snapshot a{text-decoration:none}
.also>img{display:block;width:100%}
pre{max-width:50rem;margin:1.5rem auto;padding:0 1rem;white-space:pre-wrap;font:inherit}
</style></head><body><p class="said">Scripts drew this page. Without them, this is what the browser showed when it was captured: ${inWords(
    what,
  )}.</p>${
    snapshot
      ? `${snapshot}<details class="also"><summary>Picture and text</summary>${also}</details>`
      : `<div class="also">${also}</div>`
  }</body></html>`;
}

const inWords = (parts: readonly (string | undefined)[]): string => {
  const said = parts.filter(Boolean);
  return said.length > 1 ? `${said.slice(0, -1).join(', ')} and ${said.at(-1)}` : said.join('');
};

/** The snapshot of this version: a page that shows what an earlier one did has none of its own, and names that one. */
async function drawnSnapshot(
  resolver: CaptureResolver,
  url: string,
  at: Millis,
): Promise<string | undefined> {
  try {
    const info = await derived(resolver, pageInfoUri(url), at);
    const { layoutAt = at } =
      info?.at === at ? (JSON.parse(info.bytes.toString('utf8')) as Partial<PageInfo>) : {};
    const stored = await derived(resolver, snapshotUri(url), layoutAt);
    if (stored?.at !== layoutAt) return undefined;
    return snapshotPage(unpackSnapshot(stored.bytes.toString('utf8')));
  } catch {
    // Damaged, of another form, or nested too deep: picture and text are left.
    return undefined;
  }
}

async function derived(
  resolver: CaptureResolver,
  uri: string,
  at: Millis,
): Promise<{ at: Millis; type: string; bytes: Buffer } | undefined> {
  const found = await resolver.resolve(uri, at);
  if (found.kind !== 'found') return undefined;
  const { fact, headers, payload } = found.capture;
  const pieces: Uint8Array[] = [];
  for await (const piece of payload.chunks()) pieces.push(piece);
  await payload.release();
  const type = header(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { at: fact.at, type, bytes: Buffer.concat(pieces) };
}

function textLength(html: string): number {
  return html
    .replace(/<(script|style|title|template)\b[\s\S]*?<\/\1>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim().length;
}
