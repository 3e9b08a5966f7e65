import { isLive } from '../article.ts';
import { block, type ContentBlock, inOrder, linkItem, type NewsPageSpec, titleBlock } from '../content.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER, SECTIONS, type SectionId } from '../sections.ts';
import { articleItem, deskMoments, fromFirstDay, newsMoments, ranked } from './lists.ts';

const LATEST = 10;

/** A section's front: lead and features chosen by its own desk, the rest in order of time. */
export function sectionPage(newsroom: Newsroom, id: SectionId): NewsPageSpec {
  const section = SECTIONS[id];
  const writers = newsroom.authors.filter((author) => author.section === id);
  return {
    ...fromFirstDay(newsroom, `/${id}/`, 'section'),
    section: id,
    moments: (from, to) =>
      inOrder(
        newsMoments(newsroom, from, to, ({ article }) => article.section === id),
        deskMoments(newsroom, id, from, to),
      ),
    content: (time) => {
      const decidedAt = newsroom.lastDesk(id, time);
      const own = newsroom.recent(decidedAt, 24, (a) => a.section === id);
      const [lead, ...features] = ranked(own, decidedAt, 20).filter((a) => isLive(a, time));
      const chosen = new Set([lead, ...features.slice(0, 2)]);
      const latest = newsroom.recent(time, LATEST, (a) => a.section === id && !chosen.has(a));
      const blocks: ContentBlock[] = [titleBlock(0.3, section.title, section.blurb)];
      if (lead) blocks.push(block('lead', 'lead', 0.9, [articleItem(newsroom, lead, time, 'full')]));
      if (features.length > 0) {
        blocks.push(
          block(
            'features',
            'top',
            0.5,
            features.slice(0, 2).map((a) => articleItem(newsroom, a, time, 'card')),
            'In depth',
          ),
        );
      }
      if (latest.length > 0) {
        blocks.push(
          block(
            'latest',
            'list',
            0.4,
            latest.map((a) => articleItem(newsroom, a, time, 'dated')),
            'Latest',
          ),
        );
      }
      if (id === 'economy') {
        blocks.push(
          block(
            'markets',
            'service',
            0.1,
            [linkItem('quotes', '/economy/markets/', 'Quotes and chart')],
            'Harbour exchange',
          ),
        );
      }
      blocks.push(
        block(
          'writers',
          'service',
          0.1,
          writers.map(({ slug, name }) => linkItem(slug, `/authors/${slug}.html`, name)),
          'Our writers',
        ),
      );
      return { title: `${section.title} – ${PAPER}`, blocks };
    },
  };
}
