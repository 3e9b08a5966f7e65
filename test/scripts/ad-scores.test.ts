import { expect, test } from 'vitest';
import { adScores } from '../../scripts/block-importance/ad-scores.ts';
import { element, page } from '../drawn-page.ts';

test('one of two marked ads found, one link too many => precision 1/2, recall 1/2', () => {
  const mark = (type: string) => ({ 'data-block-type': type });
  const snapshot = page(
    element(
      'body',
      mark('Content'),
      element('div', mark('Ad'), element('a', { href: 'https://ads.test/1' }, 'buy')),
      element('div', mark('Ad'), element('a', { href: 'https://hidden.test/' }, 'buy')),
      element('div', mark('Ad'), 'no link at all'),
      element('div', mark('Menu'), element('a', { href: 'https://ads.test/2' }, 'about')),
    ),
  );
  const judge = (url: string) => url.startsWith('https://ads.test/');
  expect(adScores([{ snapshot, judge }])).toEqual({
    right: 1,
    wrong: 1,
    missed: 1,
    precision: 0.5,
    recall: 0.5,
    blocks: 2,
    blocksFound: 1,
  });
});
