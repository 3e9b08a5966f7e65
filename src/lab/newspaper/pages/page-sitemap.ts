import type { Millis } from '../../../model/time.ts';
import { block, inOrder, type NewsPageSpec, type PageClass } from '../content.ts';
import { startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { dailyMoments } from './lists.ts';
import { magazineMoments } from './magazine.ts';

/** What the paper claims, as papers do; only roughly true. */
const FREQUENCY: Partial<Record<PageClass, string>> = {
  home: 'always',
  ticker: 'always',
  markets: 'always',
  section: 'hourly',
  weather: 'hourly',
  scripted: 'hourly',
  crossword: 'daily',
  print: 'daily',
  archive: 'daily',
  author: 'weekly',
  magazine: 'weekly',
  events: 'weekly',
  static: 'yearly',
};

/** All pages except articles. */
export function pageSitemap(
  newsroom: Newsroom,
  listed: (time: Millis) => readonly NewsPageSpec[],
): NewsPageSpec {
  return {
    path: '/sitemaps/pages.xml',
    class: 'sitemap',
    media: 'sitemap',
    born: startOf(newsroom.firstDay),
    moments: (from, to) => inOrder(dailyMoments(from, to, 0, 'a new day'), magazineMoments(from, to)),
    content: (time) => ({
      title: 'Pages',
      blocks: [
        block(
          'entries',
          'entries',
          0.05,
          listed(time)
            .filter((spec) => spec.class !== 'article')
            .map(({ path, class: pageClass }) => ({
              key: path,
              link: { href: path, text: path },
              text: FREQUENCY[pageClass] ?? 'monthly',
            })),
        ),
      ],
    }),
  };
}
