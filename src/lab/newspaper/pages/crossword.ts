import { block, type NewsPageSpec, titleBlock } from '../content.ts';
import { type Day, dayOf, longDay } from '../days.ts';
import type { Newsroom } from '../newsroom.ts';
import { stream } from '../random.ts';
import { PAPER } from '../sections.ts';
import { dailyMoments, fromFirstDay } from './lists.ts';

const CLUES = [
  'Bird that never asks the way (4)',
  'Keeps the tide out, mostly (4)',
  'Harbour light, reversed (5)',
  'Salt, by the sound of it (6)',
  'It rises twice a day (4)',
  'Rope maker’s long lane (8)',
  'Fen without end (3)',
  'Slippery traveller (3)',
  'Council, in short (4)',
  'Ferry fare, once (5)',
  'Hidden in the marsh mallow (5)',
  'Stop, said the telegram (4)',
  'Fog’s best friend (4)',
  'Captain’s last word (5)',
  'Northgate’s loaf (3)',
  'Old coin, new trouble (6)',
] as const;

/** The first crossword appeared on 1 January 1990. */
export const crosswordNumber = (day: Day): number => day - 7305 + 1;

/** A new one every midnight. */
export function crosswordPage(newsroom: Newsroom): NewsPageSpec {
  return {
    ...fromFirstDay(newsroom, '/crossword/', 'crossword'),
    moments: (from, to) => dailyMoments(from, to, 0, 'a new crossword'),
    content: (time) => {
      const day = dayOf(time);
      const number = crosswordNumber(day);
      const clues = stream(newsroom.seed, 'crossword', day).sample(CLUES, 12);
      const listed = (from: number) =>
        clues
          .slice(from, from + 6)
          .map((text, i) => ({ key: `${number}-${from + i}`, label: `${from + i + 1}`, text }));
      return {
        title: `Crossword no. ${number} – ${PAPER}`,
        blocks: [
          titleBlock(0.5, `Crossword no. ${number}`, longDay(day)),
          block('grid', 'figure', 0.6, [
            {
              key: 'grid',
              image: {
                src: `/crossword/${number}.svg`,
                alt: `Grid of crossword no. ${number}`,
                width: 420,
                height: 420,
              },
            },
          ]),
          block('across', 'table', 0.5, listed(0), 'Across'),
          block('down', 'table', 0.5, listed(6), 'Down'),
        ],
      };
    },
  };
}
