/** The living newspaper as the crawler meets it, without HTTP: its HTML pages as they are at each moment, without noise. */
import type { Millis } from '../../model/time.ts';
import { fillHoles } from '../newspaper/render/parts.ts';
import { render } from '../newspaper/render/render.ts';
import type { Newspaper } from '../newspaper/world.ts';
import { countUpTo } from './change-process.ts';
import type { SyntheticPage, SyntheticWeb } from './synthetic-web.ts';

export const NEWSPAPER_HOST = 'https://newspaper.example';
export const pathOf = (url: string): string => url.slice(NEWSPAPER_HOST.length);
export const urlOf = (path: string): string => NEWSPAPER_HOST + path;

/** Pages that exist at any time from `from` to `until`. One that has moved answers 404, where the newspaper would redirect. */
export function newspaperSite(world: Newspaper, from: Millis, until: Millis): SyntheticWeb {
  const paths = new Set(['/', ...world.pages(from).map(({ path }) => path)]);
  for (const { path } of world.changesBetween(from, until)) paths.add(path);
  const pages = [...paths].map((path, index): SyntheticPage => {
    const starts = world.versions(path, until).map((version) => version.from);
    return {
      url: urlOf(path),
      index,
      links: [],
      rate: 0,
      latency: 0,
      changes: {
        countAt: (at) => countUpTo(starts, at),
        until: (at) => starts.slice(0, countUpTo(starts, at)),
      },
      isThere: (at) => world.resolve(path, at).kind === 'page',
      html: (_version, at) => htmlAt(world, path, at),
    };
  });
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  return { sites: [{ origin: NEWSPAPER_HOST, pages }], validators: true, page: (url) => byUrl.get(url) };
}

function htmlAt(world: Newspaper, path: string, at: Millis): string {
  const found = world.resolve(path, at);
  if (found.kind !== 'page') throw new RangeError(`${path} is not there at ${new Date(at).toISOString()}`);
  const { spec, version } = found;
  const rendered = render(spec, spec.content(version.from), { traps: 'off' });
  if (rendered.kind !== 'text') throw new TypeError(`${path} is no HTML`);
  return fillHoles(rendered.parts, (name) => (name === 'origin' ? NEWSPAPER_HOST : ''));
}
