import type { z } from 'zod';
import { RequestProblem } from '../api-error.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The names that `fields` takes: those of the row, and with a dot those of objects inside it. A list is one field.
 * In the order of the schema, which is that of the columns of CSV.
 */
export function fieldNames(row: z.ZodObject): readonly string[] {
  return Object.entries(row.shape).flatMap(([name, schema]) => {
    const inner = objectIn(schema as z.ZodType);
    return inner ? fieldNames(inner).map((one) => `${name}.${one}`) : [name];
  });
}

/** The object that a schema is, seen through what makes it optional. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  const { def } = schema as unknown as { readonly def: { type: string; innerType?: z.ZodType } };
  if (def.type === 'object') return schema as z.ZodObject;
  return def.innerType && ['optional', 'nullable', 'readonly'].includes(def.type)
    ? objectIn(def.innerType)
    : undefined;
}

/** Those that were asked for, or undefined for all; a name that none has is refused with those that there are. */
export function chosenFields(asked: string | undefined, row: z.ZodObject): readonly string[] | undefined {
  if (asked === undefined) return undefined;
  const names = fieldNames(row);
  const known = new Set([...names, ...Object.keys(row.shape)]);
  const chosen = asked.split(',').map((name) => name.trim());
  const unknown = chosen.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new RequestProblem(
      400,
      `fields: there is no '${unknown.join("', '")}'`,
      `choose among ${[...known].join(', ')}`,
    );
  return [...new Set(chosen)];
}

export function valueAt(row: Row, field: string): unknown {
  let value: unknown = row;
  for (const name of field.split('.')) value = (value as Row | null | undefined)?.[name];
  return value;
}

/** The row with these fields alone, each where it stood. */
export function picked(row: Row, fields: readonly string[] | undefined): Row {
  if (!fields) return row;
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueAt(row, field);
    if (value === undefined) continue;
    const path = field.split('.');
    const last = path.pop() as string;
    let place = result;
    for (const name of path) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return result;
}
