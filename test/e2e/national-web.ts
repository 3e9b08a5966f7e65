import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './daguerre.ts';
import { type Answer, type Pages, type SmallSite, startSite } from './small-site.ts';

/* A small national web: each loopback address is a site, and a list of ours says in which country it stands. */

const FRENCH =
  'La bibliothèque conserve un exemplaire de chaque livre publié dans le pays depuis cinq siècles, et toutes les pages que les ' +
  'habitants ont écrites pour être lues. Le bulletin de mars donne le compte rendu de la réunion et les photos de la fête.';
const ENGLISH =
  'The library has kept a copy of every book that was published in the country for five centuries, and every page that its people ' +
  'have written to be read. The newsletter of March has the minutes of the meeting and photographs of the village fair.';

export const TEXTS = { fr: FRENCH, en: ENGLISH, none: '12 345 678 — 9 / 10' } as const;

export interface Link {
  readonly href: string;
  readonly words?: string;
}

export const told = (language: keyof typeof TEXTS, title: string, links: readonly Link[] = []): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${TEXTS[language]} ${title}</p>` +
  `<ul>${links.map(({ href, words = title }) => `<li><a href="${href}">${words}</a></li>`).join('')}</ul></body></html>`;

export interface NationalWeb {
  /** By the last number of its address. */
  readonly sites: ReadonlyMap<number, SmallSite>;
  url(site: number, path?: string): string;
  /** Pages asked for, without robots.txt: `2/a`. */
  asked(): readonly string[];
  /** Nothing was asked for, from now on. */
  forget(): void;
  close(): Promise<void>;
}

/** All sites listen on one port, so that pages can name each other before they are served. */
export async function startNation(
  pagesOf: (
    url: (site: number, path?: string) => string,
  ) => Readonly<Record<number, Readonly<Record<string, Answer>>>>,
): Promise<NationalWeb> {
  const first = await startSite({}, '127.0.0.2');
  const { port } = first;
  const url = (site: number, path = '/'): string => `http://127.0.0.${site}:${port}${path}`;
  const sites = new Map<number, SmallSite>();
  for (const [key, pages] of Object.entries(pagesOf(url))) {
    const site = Number(key);
    if (site === 2) first.become(pages as Pages);
    sites.set(site, site === 2 ? first : await startSite(pages, `127.0.0.${site}`, port));
  }
  return {
    sites,
    url,
    asked: () =>
      [...sites].flatMap(([site, { asked }]) =>
        asked.filter((path) => path !== '/robots.txt').map((path) => `${site}${path}`),
      ),
    forget: () => {
      for (const { asked } of sites.values()) (asked as string[]).length = 0;
    },
    close: async () => {
      for (const site of sites.values()) await site.close();
    },
  };
}

/** An empty place for an archive of the nation, with its configuration; nothing was asked for yet. */
export async function newNationArchive(web: NationalWeb) {
  web.forget();
  const folder = await temporaryFolder();
  return { folder, archive: join(folder, 'archive'), config: await nationConfig(folder) };
}

/** Writes the configuration and the list of addresses: 2 and 5 stand in France, 4 in Canada, the rest in the US. */
export async function nationConfig(folder: string, more = ''): Promise<string> {
  const addresses = ['127.0.0.2\tFR', '127.0.0.4\tCA', '127.0.0.5\tFR', '127.0.0.0/8\tUS'];
  await writeFile(join(folder, 'addresses.tsv'), `${addresses.join('\n')}\n`);
  const file = join(folder, 'web.yaml');
  await writeFile(
    file,
    `perimeter: nation
render: never
allowPrivate: true
delay: 0s
order: breadth-first
perimeters:
  nation:
    prior: -1
    languages: { fr: 1.5, other: -1.5 }
    countries: { FR: 1.5, CA: -4, other: -0.5 }
    addresses: addresses.tsv
    connectivity: [0.5, 0.25]
${more}`,
  );
  return file;
}
