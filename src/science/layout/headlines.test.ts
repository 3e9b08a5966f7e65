import { expect, it } from 'vitest';
import { advertisement, layout, link, text } from '../../../test/small-layout.ts';
import { headlinesOf, nameWithoutRank } from './headlines.ts';

it('links of some words => headlines, whatever their type; advertisements and short links are none', () => {
  const story = link('Storm nears the coast');
  const page = layout([
    {
      links: [story, link('More'), advertisement(link('Buy this wonderful new car'))],
      texts: [text('Words. '.repeat(9))],
    },
  ]);
  expect([...headlinesOf(page)].map(({ name }) => name)).toEqual(['Storm nears the coast']);
});

it('numbered from 1 on, one after the other => ranks; a number that stands alone is part of the name', () => {
  const names = [
    '1. FC Magdeburg wins',
    'Storm nears',
    '1. Storm nears',
    '1. Storm nears',
    '2. 60 years of fashion',
    '3. Ferry stops',
    '12 die in floods',
  ];
  const links = names.map((name, i) => link(name, `https://a.example/${i === 3 ? 2 : i}`));
  const page = layout([{ links: links.slice(0, 5) }, { links: links.slice(5) }]);
  expect(links.map(nameWithoutRank(page))).toEqual([
    '1. FC Magdeburg wins',
    'Storm nears',
    'Storm nears',
    'Storm nears',
    '60 years of fashion',
    'Ferry stops',
    '12 die in floods',
  ]);
});
