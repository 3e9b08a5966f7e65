import { richSite } from './rich-site.ts';
import type { Site } from './site.ts';

/** The rich site, each picture of its pages in three densities: a browser asks for one of them. */
export function screensSite(count: number): Site {
  const { files, pages } = richSite(count);
  const all = new Map(files);
  for (const [path, file] of files) {
    if (file.type.startsWith('text/html')) {
      const html = file.body
        .toString()
        .replace(
          /src="(\/pictures\/\d+[ab])\.png"/g,
          'src="$1.png" srcset="$1.png 1x, $1-2x.png 2x, $1-3x.png 3x"',
        );
      all.set(path, { ...file, body: Buffer.from(html) });
    } else if (path.startsWith('/pictures/'))
      for (const density of ['2x', '3x']) all.set(path.replace('.png', `-${density}.png`), file);
  }
  return { files: all, pages };
}
