import { z } from 'zod';

/** Milliseconds since 1970, UTC. */
export const millis = z.number().describe('milliseconds since 1970, UTC');
/** In [0, 1]. */
export const share = z.number().describe('from 0 to 1');
/** Endless in the catalog, null in JSON. */
export const limit = z.preprocess(
  (value) => (value === Number.POSITIVE_INFINITY ? null : value),
  z.number().nullable().describe('null: without a limit'),
);
export const listOf = <S extends z.ZodType>(schema: S) => z.array(schema).readonly();
/** Counts by name. */
export const counts = z.record(z.string(), z.number().optional()).readonly();
