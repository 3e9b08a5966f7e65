import { isLive } from '../article.ts';
import { type Block, inOrder, type PageSpec } from '../content.ts';
import { startOf } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { PAPER, SECTIONS, type SectionId } from '../sections.ts';
import { articleItem, deskMoments, newsMoments, ranked } from './lists.ts';

const LATEST = 10;

/** A section's front: its lead and features by its own desk, the rest by time. */
export function sectionPage(newsroom: Newsroom, id: SectionId): PageSpec {
  const section = SECTIONS[id];
  const writers = newsroom.authors.filter((author) => author.section === id);
  return {
    path: `/${id}/`,
    class: 'section',
    media: 'html',
    section: id,
    born: startOf(newsroom.firstDay),
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
      const blocks: Block[] = [
        {
          id: 'title',
          role: 'page-title',
          weight: 0.3,
          items: [{ key: 'title', text: section.title, label: section.blurb }],
        },
      ];
      if (lead)
        blocks.push({
          id: 'lead',
          role: 'lead',
          weight: 0.9,
          items: [articleItem(newsroom, lead, time, 'full')],
        });
      if (features.length > 0) {
        blocks.push({
          id: 'features',
          role: 'top',
          weight: 0.5,
          heading: 'In depth',
          items: features.slice(0, 2).map((a) => articleItem(newsroom, a, time, 'card')),
        });
      }
      if (latest.length > 0) {
        blocks.push({
          id: 'latest',
          role: 'list',
          weight: 0.4,
          heading: 'Latest',
          items: latest.map((a) => articleItem(newsroom, a, time, 'dated')),
        });
      }
      if (id === 'economy') {
        blocks.push({
          id: 'markets',
          role: 'service',
          weight: 0.1,
          heading: 'Harbour exchange',
          items: [{ key: 'quotes', link: { href: '/economy/markets/', text: 'Quotes and chart' } }],
        });
      }
      blocks.push({
        id: 'writers',
        role: 'service',
        weight: 0.1,
        heading: 'Our writers',
        items: writers.map(({ slug, name }) => ({
          key: slug,
          link: { href: `/authors/${slug}.html`, text: name },
        })),
      });
      return { title: `${section.title} – ${PAPER}`, blocks };
    },
  };
}
