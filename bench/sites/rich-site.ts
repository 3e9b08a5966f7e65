import { deflateSync } from 'node:zlib';
import { crc32 } from './crc32.ts';
import { linksOf, numbers, pagePath, sentence } from './made-up.ts';
import type { Site } from './site.ts';

/** Pages as a browser sees them: a style sheet and a script for all, a logo, and two pictures of their own. */
export function richSite(count: number): Site {
  const files = new Map<string, { type: string; body: Buffer }>();
  files.set('/style.css', { type: 'text/css', body: Buffer.from(STYLE) });
  files.set('/page.js', { type: 'text/javascript', body: Buffer.from(SCRIPT) });
  files.set('/logo.png', { type: 'image/png', body: picture(0, 120, 60) });
  for (let n = 0; n < count; n++) {
    files.set(pagePath(n), { type: 'text/html; charset=utf-8', body: page(n, count) });
    for (const side of ['a', 'b'])
      files.set(`/pictures/${n}${side}.png`, {
        type: 'image/png',
        body: picture(n * 2 + (side === 'a' ? 1 : 2), 320, 200),
      });
  }
  return { files, pages: count };
}

const STYLE = `body { font: 16px/1.5 sans-serif; margin: 0 auto; max-width: 60rem; background: url(/logo.png) no-repeat }
.teaser { display: inline-block; width: 18rem; padding: .5rem; border-bottom: 1px solid #ccc }
article { columns: 2; column-gap: 2rem } img { max-width: 100% } #made { color: #246 }
`;

const SCRIPT = `addEventListener('DOMContentLoaded', () => {
  const made = document.createElement('ul');
  made.id = 'made';
  for (const heading of document.querySelectorAll('h2')) {
    const item = document.createElement('li');
    item.textContent = heading.textContent;
    made.append(item);
  }
  document.body.append(made);
});
`;

function page(n: number, count: number): Buffer {
  const next = numbers(n + 5000);
  const items = linksOf(n, count, 30).map(
    (to) => `<div class="teaser"><a href="${pagePath(to)}">${sentence(next, 6)}</a></div>\n`,
  );
  const paragraphs = Array.from(
    { length: 24 },
    () => `<h2>${sentence(next, 4)}</h2>\n<p>${sentence(next, 70)}.</p>\n`,
  );
  return Buffer.from(
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Story ${n}</title>` +
      '<link rel="stylesheet" href="/style.css"><link rel="icon" href="/logo.png"><script src="/page.js"></script></head>\n<body>\n' +
      `<h1>${sentence(next, 7)}</h1>\n${items.join('')}<img src="/pictures/${n}a.png" alt="">` +
      `<article>\n${paragraphs.join('')}</article><img src="/pictures/${n}b.png" alt=""></body></html>\n`,
  );
}

/** A PNG of coloured noise bars: it must be decoded, and does not pack to nothing. */
function picture(seed: number, width: number, height: number): Buffer {
  const next = numbers(seed + 99);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    const start = y * (1 + width * 3) + 1;
    for (let x = 0; x < width * 3; x++) rows[start + x] = (y + ((x * 7) >> 3) + next(16)) & 255;
  }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
