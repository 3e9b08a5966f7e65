import { givenHtml, openPageViewer } from '../../capture/browser/index.ts';
import { layoutSvg } from '../../science/layout/layout-svg.ts';
import { UserError } from '../user-error.ts';
import type { InspectedPage } from './look-at-page.ts';

/** The blocks drawn over the picture of the page, rendered by the browser: it is at hand, and knows fonts. */
export async function drawBlocks({ layout, picture }: InspectedPage): Promise<Uint8Array> {
  if (!picture) throw new UserError('the browser took no picture of the page');
  const data = `data:${picture.contentType};base64,${Buffer.from(picture.bytes).toString('base64')}`;
  const svg = layoutSvg(layout, { screenshot: data });
  const viewer = await openPageViewer();
  try {
    const url = 'https://drawing.invalid/';
    const html = `<!doctype html><body style="margin:0">${svg.slice(svg.indexOf('<svg'))}</body>`;
    const view = await viewer.view({
      url,
      answer: givenHtml(url, html),
      scripts: false,
      timeLimit: 60_000,
      wholePage: 'png',
    });
    if (!view.fullView) throw new UserError('the drawing could not be photographed');
    return view.fullView.bytes;
  } finally {
    await viewer.close();
  }
}
