import { z } from 'zod';

/** A quantity may be a number already, or text with a unit. */
export function quantity(parse: (text: string) => number) {
  return z
    .union([z.number(), z.string()], 'expected a number, or text with a unit')
    .transform((value, context) => {
      try {
        return parse(String(value));
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    });
}
