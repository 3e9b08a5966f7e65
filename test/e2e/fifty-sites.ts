import { page, type SmallSite, startSite } from './small-site.ts';

export interface FiftySites {
  readonly sites: readonly SmallSite[];
  /** Sites that only links lead to. */
  readonly unknown: readonly SmallSite[];
  /** What a list of the archive calls each of them. */
  nameOf(index: number): string;
  /** The lively half of them changes. */
  passTime(): void;
  /** Requests under way at once, the most that any site has seen. */
  readonly mostAtOnce: number;
  /** Sites in the order in which a page of theirs was first asked for since. */
  orderSince(): () => readonly string[];
  close(): Promise<void>;
}

const COUNT = 50;
/** What lies in `/doc/` never changes. */
const PATHS = ['/', '/news', '/doc/2', '/doc/3', '/doc/4', '/doc/5'];
/** Milliseconds: long enough for a second request to come in meanwhile, if one did. */
const ANSWER = 3;

/**
 * Small sites, each on an address of its own: of one to six pages, every other one lively; all link to the first, and each to
 * a few others, so that they differ in importance.
 */
export async function startFiftySites(): Promise<FiftySites> {
  let version = 1;
  let mostAtOnce = 0;
  let asked: string[] = [];
  const sites: SmallSite[] = [];
  const unknown: SmallSite[] = [];
  const answers = (index: number) => {
    let underWay = 0;
    return (path: string) => {
      const known = new URL((sites[index] as SmallSite).url).host;
      if (path !== '/robots.txt') asked.push(known);
      underWay++;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      setTimeout(() => underWay--, ANSWER);
      const body = pageOf(index, path);
      return body === undefined ? { status: 404, body: 'none', after: ANSWER } : { body, after: ANSWER };
    };
  };
  const pageOf = (index: number, path: string): string | undefined => {
    const own = PATHS.slice(0, 1 + (index % 6));
    const number = own.indexOf(path);
    if (number < 0) return undefined;
    const others = [0, (index * 7) % COUNT, (index * 3) % 11].map((other) => `${sites[other]?.url}/`);
    const fresh = index === 0 ? unknown.map((site) => `${site.url}/`) : [];
    const words = index % 2 === 0 && !path.startsWith('/doc/') ? `version ${version}` : 'always the same';
    return page(`Site ${index} page ${number}, ${words}`, [
      ...own,
      ...(number === 0 ? [...others, ...fresh] : []),
    ]);
  };
  for (let index = 0; index < COUNT; index++)
    sites.push(await startSite(answers(index), `127.0.1.${index + 1}`));
  for (let index = 0; index < 3; index++)
    unknown.push(
      await startSite(
        { '/': page(`New ${index}`, ['/a']), '/a': page(`New ${index} a`) },
        `127.0.2.${index + 1}`,
      ),
    );
  return {
    sites,
    unknown,
    nameOf: (index) => new URL((sites[index] as SmallSite).url).host,
    passTime: () => void version++,
    get mostAtOnce() {
      return mostAtOnce;
    },
    orderSince() {
      asked = [];
      return () => [...new Set(asked)];
    },
    async close() {
      for (const site of [...sites, ...unknown]) await site.close();
    },
  };
}
