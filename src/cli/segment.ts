import { parsePageSource } from '../archive/given/page-source.ts';
import { openPageEye, type SeenPage } from '../archive/look/look-at-page.ts';
import { systemClock } from '../archive/system-clock.ts';
import { givenHtml, openPageViewer } from '../capture/browser/index.ts';
import type { Layout } from '../model/layout.ts';
import { layoutSvg } from '../science/layout/layout-svg.ts';
import { writeViXml } from '../science/layout/vi-xml.ts';
import type { SegmentFlags } from './commands/segment.ts';
import { EXIT, UserError } from './exit-codes.ts';
import { writeOutput } from './write-output.ts';

export async function segment(page: string, flags: SegmentFlags): Promise<void> {
  const now = systemClock.now();
  const source = parsePageSource(page, now);
  const format = flags.json ? 'json' : flags.format;
  if (format === 'png' && source.kind === 'layout')
    throw new UserError(`${source.path} is a layout without its page: draw it with --format svg`);
  if (format === 'png' && flags.out === undefined && process.stdout.isTTY)
    throw new UserError('a picture needs a place: add --out blocks.png');
  const eye = openPageEye({ ...flags, picture: format === 'png' });
  try {
    const seen = await eye.look(source, now);
    for (const fact of seen.facts) process.stderr.write(`${fact}\n`);
    await writeOutput(await formatted(seen, format), flags.out);
    if (seen.layout.partial !== undefined) {
      process.stderr.write(`only a part of the page was cut into blocks: ${seen.layout.partial}\n`);
      process.exitCode = EXIT.partial;
    }
  } finally {
    await eye.close();
  }
}

async function formatted(seen: SeenPage, format: SegmentFlags['format']): Promise<string | Uint8Array> {
  switch (format) {
    case 'vixml':
      return writeViXml(seen.layout);
    case 'json':
      return `${JSON.stringify(layoutJson(seen.layout))}\n`;
    case 'svg':
      return layoutSvg(seen.layout);
    case 'png':
      return drawn(seen);
  }
}

/** The blocks as a tree, with what is said of the page on top. */
function layoutJson({ root, ...head }: Layout) {
  return { ...head, ...root };
}

/** The drawing over the picture, photographed: the browser is at hand, and knows fonts. */
async function drawn({ layout, picture }: SeenPage): Promise<Uint8Array> {
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
