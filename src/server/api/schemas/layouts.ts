import { z } from 'zod';
import { listOf, millis, share } from './field-kinds.ts';

const BOX = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .readonly()
  .describe('left, top, width, height in CSS pixels');

export const BLOCK = z.object({
  ref: z.string(),
  id: z.string(),
  box: BOX,
  doc: z.int().describe('degree of coherence, 1 to 11'),
  typeSizes: z.string().optional(),
  importance: share,
  links: listOf(
    z.object({
      id: z.string(),
      name: z.string(),
      address: z.string(),
      advertisement: z.literal(true).optional(),
    }),
  ),
  images: listOf(
    z.object({
      id: z.string(),
      name: z.string(),
      source: z.string(),
      candidates: z.string().optional(),
      digest: z.string().optional(),
      advertisement: z.literal(true).optional(),
    }),
  ),
  texts: listOf(z.object({ id: z.string(), text: z.string() })),
  get blocks() {
    return listOf(BLOCK);
  },
});

export const LAYOUT = z.object({
  url: z.string(),
  at: millis.describe('of the capture that was asked for'),
  layoutAt: millis.describe(
    'of the capture whose layout shows it: itself, or an earlier one that looked the same',
  ),
  title: z.string(),
  version: z.string(),
  viewport: z.object({ width: z.number(), height: z.number() }),
  segmenter: z.string(),
  partial: z.string().optional(),
  facts: listOf(z.string()),
  root: BLOCK,
});
export type LayoutAnswer = Readonly<z.infer<typeof LAYOUT>>;
