import { z } from 'zod';
import { NoSuchCapture } from '../../access/capture-name.ts';
import { storedDelta } from '../../access/stored-delta.ts';
import { storedSide } from '../../access/stored-layouts.ts';
import { RequestProblem } from '../api-error.ts';
import { at, url } from './parameters.ts';
import { answer } from './route.ts';
import { DELTA } from './schemas/changes.ts';
import { LAYOUT } from './schemas/layouts.ts';

export const DELTA_ROUTES = [
  answer({
    method: 'GET',
    path: '/deltas',
    role: 'reader',
    summary: 'What changed between two captures of a page',
    description:
      'The captures nearest to the two times, by the stored delta, or by the stored layouts where they do not follow each ' +
      'other. Nothing is shown again: without layouts the answer is same-bytes or not-comparable.',
    input: z.object({ url, from: at, to: at }),
    isKept: true,
    name: 'Delta',
    answer: DELTA,
    async run({ url: page, from, to }, { archive }) {
      const told = await storedDelta(page, [from, to], await archive()).catch(notThere);
      if (told.from === told.to)
        throw new RequestProblem(
          404,
          `both times mean the same capture of ${told.url}, that of ${new Date(told.to).toISOString()}`,
          'ask /api/captures for those that there are',
        );
      return told;
    },
  }),
  answer({
    method: 'GET',
    path: '/layouts',
    role: 'reader',
    summary: 'The stored layout of a capture: the page as a tree of blocks',
    input: z.object({ url, at }),
    isKept: true,
    name: 'Layout',
    answer: LAYOUT,
    async run({ url: page, at: moment }, { archive }) {
      const side = await storedSide(
        { url: page, time: { kind: 'moment', at: moment } },
        await archive(),
      ).catch(notThere);
      if (typeof side === 'string') throw new RequestProblem(404, side, 'analyse the page, then ask again');
      const { layout, facts } = side;
      return { ...layout, url: side.url, at: side.at, layoutAt: Date.parse(layout.version), facts };
    },
  }),
];

function notThere(error: unknown): never {
  if (error instanceof NoSuchCapture)
    throw new RequestProblem(404, error.message, 'ask /api/captures for those that there are');
  throw error;
}
