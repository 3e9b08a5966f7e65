import type { CaptureResolver, ResolvedCapture } from '../access/resolve-capture.ts';
import { header } from '../model/exchange.ts';

/**
 * What the browser showed when a page was captured, for replay without scripts: in place of a page that its scripts
 * had drawn, and whose HTML alone says little of it.
 */

/** Of the text that was shown, the share that the HTML must hold to stand for itself. */
const ENOUGH = 0.5;
/** Characters. Pages that showed less are not judged by their text. */
const LEAST_TEXT = 40;
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/webp']);

/** A page with the stored picture and text; undefined where the HTML stands for itself, or nothing was stored. */
export async function capturedView(
  resolver: CaptureResolver,
  { fact }: ResolvedCapture,
  html: string,
): Promise<string | undefined> {
  const text = await derived(resolver, `urn:text:${fact.url}`, fact.at);
  const shown = text?.bytes.toString('utf8').trim() ?? '';
  if (shown.length < LEAST_TEXT || textLength(html) >= shown.length * ENOUGH) return undefined;
  const picture = await derived(resolver, `urn:view:${fact.url}`, fact.at);
  const image =
    picture && PICTURES.has(picture.type)
      ? `<img alt="The page as the browser showed it" src="data:${picture.type};base64,${picture.bytes.toString('base64')}">`
      : '';
  const title = /<title[^>]*>([^<]*)/iu.exec(html)?.[1] ?? '';
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title><style>
body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#222}
p{margin:0;padding:.6rem 1rem;background:#f3efe6;border-bottom:1px solid #d8d0bf;font-size:.9rem}
img{display:block;width:100%}
pre{max-width:50rem;margin:1.5rem auto;padding:0 1rem;white-space:pre-wrap;font:inherit}
</style></head><body><p>Scripts drew this page. Without them, this is what the browser showed when it was captured: ${
    image ? 'a picture of the first screen, and ' : ''
  }the text.</p>${image}<pre>${escapeHtml(shown)}</pre></body></html>`;
}

async function derived(
  resolver: CaptureResolver,
  uri: string,
  at: number,
): Promise<{ type: string; bytes: Buffer } | undefined> {
  const found = await resolver.resolve(uri, at);
  if (found.kind !== 'found') return undefined;
  const { headers, payload } = found.capture;
  const pieces: Uint8Array[] = [];
  for await (const piece of payload.chunks()) pieces.push(piece);
  await payload.release();
  const type = header(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return { type, bytes: Buffer.concat(pieces) };
}

function textLength(html: string): number {
  return html
    .replace(/<(script|style|title|template)\b[\s\S]*?<\/\1>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim().length;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}
