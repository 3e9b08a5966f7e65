import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { UserError } from '../user-error.ts';

/** What a YAML file says, checked; every complaint names file, line and what would be accepted. */
export function checkedText(text: string, path: string, schema: z.ZodType): Record<string, unknown> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [syntax] = document.errors;
  if (syntax) throw new UserError(`${path}:${lines.linePos(syntax.pos[0]).line}: ${syntax.message}`);
  if (document.contents !== null && !isMap(document.contents)) {
    throw new UserError(`${path}:1: expected 'key: value' lines, e.g. 'seeds: [https://example.org/]'`);
  }
  const value = (document.toJS() ?? {}) as Record<string, unknown>;
  const checked = schema.safeParse(value);
  if (checked.success) return value;
  const complaints = checked.error.issues.map((issue) => {
    const path_ = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path;
    return `${path}:${lineOf(document, lines, path_)}: ${path_.join('.')}: ${acceptedKeys(schema, issue) ?? issue.message}`;
  });
  throw new UserError(complaints.join('\n'));
}

/** Of an unknown key at the top, where the schema has no words of its own: what there is. */
function acceptedKeys(schema: z.ZodType, { code, path, message }: z.core.$ZodIssue): string | undefined {
  if (code !== 'unrecognized_keys' || path.length > 0 || !message.startsWith('Unrecognized'))
    return undefined;
  const { shape } = schema as z.ZodType & { readonly shape?: object };
  return shape && `unknown; accepted: ${Object.keys(shape).join(', ')}`;
}

function lineOf(
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
  path: readonly unknown[],
): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const item = isSeq(parent) ? parent.items[Number(path[length - 1])] : undefined;
    if (isNode(item) && item.range) return lines.linePos(item.range[0]).line;
    if (!isMap(parent)) continue;
    const pair = parent.items.find(({ key }) => String(key) === String(path[length - 1]));
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}
