import type { PageDigest } from './page-digest.ts';

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** For a terminal: a line for each headline, with when it was first and last seen (UTC). */
export function digestText({ url, title, from, to, versions, headlines, sections }: PageDigest): string {
  const head = `${title || url}: ${headlines} headlines from ${day(from)} to ${day(to)}, out of ${versions} versions`;
  const parts = sections.map(({ name, items }) => {
    const lines = items.map(
      ({ headline, retitled, firstSeen, lastSeen, wasLead, isThere }) =>
        `  ${day(firstSeen)} to ${(isThere ? 'the end' : day(lastSeen)).padEnd(16)}  ${wasLead ? '* ' : '  '}${headline}` +
        retitled.map((later) => `\n${' '.repeat(42)}  later: ${later}`).join(''),
    );
    return [`${name || 'More'}`, ...lines].join('\n');
  });
  const note = sections.some(({ items }) => items.some(({ wasLead }) => wasLead)) ? ['* lead story'] : [];
  return `${[head, ...parts, ...note].join('\n\n')}\n`;
}
