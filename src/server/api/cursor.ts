import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { RequestProblem } from '../api-error.ts';

/**
 * A cursor is opaque to clients: where the next part begins, and a stamp of the question, so that it is not taken into another
 * one, where it would leave rows out in silence. It is no secret and no right: whoever forges one reads rows they may read anyway.
 */
export function writeCursor(question: unknown, after: unknown): string {
  return Buffer.from(JSON.stringify([stampOf(question), after])).toString('base64url');
}

export function readCursor<Schema extends z.ZodType>(
  cursor: string,
  question: unknown,
  schema: Schema,
): z.output<Schema> {
  const [stamp, after] = parsed(cursor);
  const result = schema.safeParse(after);
  if (typeof stamp !== 'string' || !result.success) throw malformed();
  if (stamp !== stampOf(question))
    throw new RequestProblem(
      400,
      'the cursor belongs to another question',
      'keep all parameters as they were, or begin again without a cursor',
    );
  return result.data;
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw malformed();
}

const malformed = (): RequestProblem =>
  new RequestProblem(400, 'the cursor is malformed', "take it whole from 'next' of the part before");

const stampOf = (question: unknown): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 10);
