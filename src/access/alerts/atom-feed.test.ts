import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import type { Alert } from '../../model/alert.ts';
import { atomFeed } from './atom-feed.ts';

const alert: Alert = {
  id: 'a1',
  rule: 'R & D',
  url: 'https://example.org/?a=1&b="2"',
  kind: 'change',
  to: 10,
  madeAt: Date.UTC(2026, 2, 2),
  summary: 'a <b>text</b> \u0001 \ud800 changed',
  operations: [],
};
const of = { self: 'http://localhost/feeds/rules/x.atom', of: 'rule x', base: 'http://localhost' };

function parsed(feed: string): { texts: string[]; entries: number } {
  const texts: string[] = [];
  let entries = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri }) => {
    expect(uri).toBe('http://www.w3.org/2005/Atom');
    if (local === 'entry') entries++;
  });
  parser.on('text', (text) => {
    if (text.trim() !== '') texts.push(text);
  });
  parser.write(feed).close();
  return { texts, entries };
}

it('hostile texts => well-formed XML with the same words', () => {
  const { texts, entries } = parsed(atomFeed([alert, alert], of));
  expect(entries).toBe(2);
  expect(texts).toContain(`${alert.url}: a <b>text</b> \ufffd \ufffd changed`);
  expect(texts).toContain('2026-03-02T00:00:00.000Z');
});

it('no alerts => a feed without entries; the same alerts => the same feed', () => {
  expect(parsed(atomFeed([], of)).entries).toBe(0);
  expect(atomFeed([alert], of)).toBe(atomFeed([alert], of));
});
