import { expect, it } from 'vitest';
import { layout, link, text } from '../../../test/small-layout.ts';
import { passagesOf } from './passages.ts';

const BODY = 'A sentence in the type of the page, as long as sentences are. '.repeat(4);
/** What lies at the top of a page counts as its header. */
const TOP = [0, 1, 2].map((i) => ({ texts: [text(`${i} ${BODY}`)] }));

it('a title that is a link, in no larger type => a headline; what stands below it is not', () => {
  const page = layout([
    ...TOP,
    { links: [link('Council votes on the bridge'), link('More')], texts: [text('The vote was close.')] },
  ]);
  const kinds = new Map(passagesOf(page).map((one) => [one.text, one.kind]));
  expect(kinds.get('Council votes on the bridge')).toBe('headline');
  expect(kinds.get('More')).not.toBe('headline');
  expect(kinds.get('The vote was close.')).not.toBe('headline');
});

it('kicker and title in one link, and the same in a list of the most read => one passage, with a sign between them', () => {
  const address = 'https://a.example/baker-of-oxbury-wins-the-prize-3327706';
  const page = layout([
    ...TOP,
    { links: [link('Culture Baker of Oxbury wins the prize', address)] },
    {
      links: [
        link('1. Council votes on the bridge'),
        link('2. Culture Baker of Oxbury wins the prize', address),
        link('3. School gets a roof'),
      ],
    },
  ]);
  const texts = passagesOf(page).map((one) => one.text);
  expect(texts.filter((one) => one.includes('Baker'))).toEqual(['Culture: Baker of Oxbury wins the prize']);
  expect(texts).toContain('School gets a roof');
});
