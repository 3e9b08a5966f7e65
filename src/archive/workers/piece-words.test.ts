import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { queueOfSite } from './left-analyses.ts';
import { leavingWords, pieceWords } from './piece-words.ts';

it('a crawl => named by its seed; a round of a watch, which has none => by its site', () => {
  const handed = { queue: queueOfSite('example.org') };
  const seeded = { id: 3, spec: { ...SPEC, seeds: ['https://example.org/'] } };
  expect(pieceWords(seeded, handed, 7)).toBe('crawl 3: https://example.org/, 7 waiting');
  const round = { id: 14, spec: { ...SPEC, seeds: [] } };
  expect(pieceWords(round, handed, 7)).toBe('crawl 14: round of a watch, example.org, 7 waiting');
});

it('a worker that leaves => its number, machine and folder, and why', () => {
  const words = leavingWords({ workerId: 5, folder: archiveFolder('/mnt/archive') }, 'no space left');
  expect(words).toBe(`worker 5 (${hostname()}, /mnt/archive): no space left`);
});
