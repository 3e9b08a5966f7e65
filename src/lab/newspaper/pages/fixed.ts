/** Pages and files that never change, authors, and the print edition. */
import { block, linkItem, type NewsContent, type NewsPageSpec, never, titleBlock } from '../content.ts';
import { type Day, dayOf, HOUR, isoDay, longDay, startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { type Author, PAPER, SECTIONS, TOWN } from '../sections.ts';
import { articleItem, articleKey, dailyMoments, fromFirstDay, newsMoments } from './lists.ts';

const PRINTED_AT = 5 * HOUR;

function textPage(
  newsroom: Newsroom,
  path: string,
  title: string,
  paragraphs: readonly string[],
  more?: Partial<NewsPageSpec>,
): NewsPageSpec {
  return {
    path,
    class: 'static',
    media: 'html',
    born: startOf(newsroom.firstDay),
    moments: never,
    content: (): NewsContent => ({
      title: `${title} – ${PAPER}`,
      blocks: [
        titleBlock(0.5, title),
        block(
          'body',
          'body',
          0.9,
          paragraphs.map((text, i) => ({ key: `p${i}`, text })),
        ),
      ],
    }),
    ...more,
  };
}

export function staticPages(newsroom: Newsroom): NewsPageSpec[] {
  return [
    textPage(newsroom, '/about/', 'About us', [
      `${PAPER} is printed on the quay of ${TOWN}, a town that exists only here.`,
      'Its reporters are a random number generator with a seed; its presses are a clock. Whatever it writes, it has not happened.',
      'It is made so that an archive of it can be compared with what it really said, and when.',
    ]),
    textPage(newsroom, '/imprint/', 'Imprint', [
      `${PAPER}, 1 Herring Row, ${TOWN}.`,
      'Responsible for the content: nobody, deterministically.',
    ]),
    textPage(newsroom, '/contact/', 'Contact', [
      'Letters reach us at the night window, Candle Lane.',
      'We read all of them, in the order of their hash.',
    ]),
    textPage(newsroom, '/trends/', 'What readers talk about', [], {
      class: 'scripted',
      shows: ['/api/trends.json'],
    }),
    textPage(newsroom, '/login', 'Log in', ['Members read the crossword archive.'], { class: 'form' }),
    textPage(newsroom, '/search', 'Search', ['Search the headlines of the last days.'], { class: 'form' }),
  ];
}

/** Styles, scripts and pictures of the template. */
export function assets(newsroom: Newsroom): NewsPageSpec[] {
  const born = startOf(newsroom.firstDay);
  const file = (
    path: string,
    pageClass: NewsPageSpec['class'],
    media: NewsPageSpec['media'],
  ): NewsPageSpec => ({
    path,
    class: pageClass,
    media,
    born,
    moments: never,
    content: () => ({
      title: path,
      blocks: [block('data', 'data', 0.1, [{ key: 'file', text: `asset ${path}` }])],
    }),
  });
  return [
    file('/assets/site.css', 'style', 'css'),
    file('/assets/type.css', 'style', 'css'),
    file('/assets/site.js', 'script', 'js'),
    file('/assets/waves.svg', 'image', 'svg'),
    file('/favicon.ico', 'image', 'png'),
    file('/robots.txt', 'robots', 'text'),
  ];
}

/** A drawing made from its text; it never changes. */
export function picture(newsroom: Newsroom, path: string, born: number, text: string): NewsPageSpec {
  return {
    path,
    class: 'image',
    media: path.endsWith('.png') ? 'png' : 'svg',
    born,
    moments: never,
    content: () => ({
      title: path,
      blocks: [block('data', 'data', 0.2, [{ key: 'drawing', text: `${text} ${newsroom.seed}` }])],
    }),
  };
}

export function authorPage(newsroom: Newsroom, author: Author): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, `/authors/${author.slug}.html`, 'author'),
    section: author.section,
    moments: (from, to) => newsMoments(newsroom, from, to, ({ article }) => article.author === author),
    content: (time) => ({
      title: `${author.name} – ${PAPER}`,
      blocks: [
        titleBlock(0.4, author.name, `Writes for ${SECTIONS[author.section].title}.`),
        block(
          'articles',
          'list',
          0.5,
          newsroom
            .recent(time, 12, (a) => a.author === author)
            .map((a) => articleItem(newsroom, a, time, 'dated')),
          'Latest articles',
        ),
      ],
    }),
  };
}

export function printIndex(newsroom: Newsroom): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, '/print/', 'print'),
    moments: (from, to) => dailyMoments(from, to, PRINTED_AT, 'print edition'),
    content: (time) => {
      const newest = dayOf(time - PRINTED_AT);
      const days = Array.from({ length: 7 }, (_, i) => newest - i).filter((day) => day >= newsroom.firstDay);
      return {
        title: `Print edition – ${PAPER}`,
        blocks: [
          titleBlock(0.3, 'Print edition', 'As PDF, every morning at five.'),
          block(
            'editions',
            'list',
            0.5,
            days.map((day) => linkItem(isoDay(day), `/print/${isoDay(day)}.pdf`, longDay(day))),
          ),
        ],
      };
    },
  };
}

export function printEdition(newsroom: Newsroom, day: Day): NewsPageSpec {
  const born = startOf(day) + PRINTED_AT;
  return {
    path: `/print/${isoDay(day)}.pdf`,
    class: 'print',
    media: 'pdf',
    born,
    moments: never,
    content: () => ({
      title: `${PAPER}, ${longDay(day)}`,
      blocks: [
        block(
          'pages',
          'data',
          0.8,
          newsroom.recent(born, 14).map((article) => {
            const state = newsroom.state(article, born);
            return { key: articleKey(article), label: state.headline, text: state.standfirst };
          }),
        ),
      ],
    }),
  };
}
