import { z } from 'zod';
import { parseCount, parseDuration, parseShare, parseSize } from '../given/quantities.ts';
import { quantity } from '../given/quantity-schema.ts';

export const duration = quantity(parseDuration);
export const size = quantity(parseSize);
export const count = quantity(parseCount);
export const share = quantity(parseShare);
/** A count in a range. zod's own messages are not written for users. */
export const countFrom = (least: number, most = Number.POSITIVE_INFINITY) =>
  count.refine((value) => value >= least && value <= most, {
    error: ({ input }) =>
      `${String(input)} is too ${Number(input) < least ? 'small' : 'large'}: write a whole number ` +
      (most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`),
  });
export const list = z
  .union([z.string(), z.array(z.string())], 'expected a text, or a list of texts')
  .transform((value) => [value].flat());

/** Regular expressions, checked here so that a complaint names their line. */
export const patterns = list.superRefine((sources, context) => {
  for (const source of sources) {
    try {
      new RegExp(source);
    } catch (error) {
      const message = `'${source}' is not a regular expression (${(error as Error).message}); for a literal text, put a backslash before each of . ? + * ( ) [ ] { } ^ $ | \\`;
      context.addIssue({ code: 'custom', message });
    }
  }
});
