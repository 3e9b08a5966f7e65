import { encodePng } from '../../src/lab/newspaper/render/png.ts';
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

/** Coloured noise: it has to be decoded, and does not compress. */
function picture(seed: number, width: number, height: number): Buffer {
  const next = numbers(seed + 99);
  return encodePng(width, height, (x) => (y) => [
    Math.round(x * 200) + next(16),
    Math.round(y * 200) + next(16),
    (seed * 37) & 255,
  ]);
}
