import type { SnapshotOutcome } from '../../model/snapshot-codec.ts';
import type { Picture, PictureFormat } from '../../ports/renderer.ts';
import { CdpError } from './cdp-connection.ts';
import type { PageVisit } from './page-visit.ts';
import { FREEZE, snapshotScript } from './snapshot-script.ts';
import { VIEWPORT } from './tab-manner.ts';
import { within } from './within.ts';

/** Share of the remaining time that the walk may take; the rest is for the pictures. */
const WALK_SHARE = 0.6;
/** Device pixels: Chromium draws no taller surface. */
const TALLEST = 16_384;

export async function takeSnapshot(visit: PageVisit): Promise<SnapshotOutcome> {
  if (!visit.state.isShown) return { kind: 'none', reason: 'nothing-shown' };
  // Frozen and walked in one go: none of the page's code runs in between.
  const look = visit.evaluate(visit.tab.main, visit.tab.targetId, `${FREEZE};\n${snapshotScript()}`);
  // Not `insist`: it terminates what runs too long, which here may be the walk itself.
  let json: string | undefined;
  try {
    json = await within(visit.left() * WALK_SHARE, look);
  } catch (error) {
    if (!(error instanceof CdpError)) throw error;
    visit.facts.add(`no snapshot: ${error.message.slice(0, 200)}`);
    return { kind: 'none', reason: 'unreadable' };
  }
  if (json === undefined) {
    visit.facts.add('no snapshot: the page could not be looked at in time');
    return { kind: 'none', reason: 'no-time' };
  }
  // The answer for "none" is short: a real snapshot need not be parsed to tell them apart.
  if (json.startsWith('{"kind":"none"')) return JSON.parse(json) as SnapshotOutcome;
  return { kind: 'taken', packed: json };
}

export async function pictureWhole(
  visit: PageVisit,
  format: PictureFormat,
  height: number,
): Promise<Picture> {
  const { width, height: window, scale = 1 } = { ...VIEWPORT, ...visit.request.device };
  const tall = Math.max(window, Math.ceil(height));
  const most = Math.floor(TALLEST / scale);
  if (tall > most) visit.facts.add(`the picture ends at ${most} of ${tall} pixels`);
  const { data } = await visit.tab.main.send('Page.captureScreenshot', {
    format,
    ...(format === 'jpeg' ? { quality: 75 } : {}),
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(tall, most), scale: 1 },
  });
  return { contentType: `image/${format}`, bytes: new Uint8Array(Buffer.from(data, 'base64')) };
}
