import { asciiJson } from '../../model/cdxj-line.ts';
import { type CdxFields, fieldList, fieldNamed, fieldText, pywbFields } from './cdx-fields.ts';
import { collapseKey, pywbFilter } from './cdx-filter.ts';
import type { CdxLine, CdxRequest } from './cdx-lines.ts';
import {
  countOf,
  isSet,
  linesOfPage,
  oneOf,
  type Paging,
  pagingOf,
  rangeOf,
  spanOf,
  timeOf,
} from './cdx-parameters.ts';
import { CdxProblem } from './cdx-problem.ts';

export const PYWB_OUTPUTS = ['cdxj', 'json', 'link', 'text'] as const;

export interface PywbQuestion {
  readonly request: CdxRequest;
  readonly output: (typeof PYWB_OUTPUTS)[number];
  readonly fields: readonly string[] | undefined;
  readonly paging: Paging | undefined;
}

/** `/<collection>/cdx?…`, as pywb's CDXJ server reads it. */
export function pywbQuestion(parameters: URLSearchParams): PywbQuestion {
  const range = rangeOf(parameters);
  const paging = pagingOf(parameters);
  const closest = timeOf(parameters, 'closest');
  const sort = oneOf(parameters, 'sort', ['reverse', 'closest', 'default']);
  if (sort === 'closest' && closest === undefined)
    throw new CdxProblem('sort: closest to which time?', 'add closest=YYYYMMDDhhmmss');
  const isReverse = sort === 'reverse' || isSet(parameters, 'reverse');
  const limit = countOf(parameters, 'limit', 1) ?? Number.POSITIVE_INFINITY;
  const page = paging ? linesOfPage(paging) : { offset: 0, limit: Number.POSITIVE_INFINITY };
  const collapseTime = countOf(parameters, 'collapseTime', 1);
  return {
    request: {
      ...range,
      ...spanOf(parameters),
      order: closest !== undefined && sort !== 'reverse' ? { closest } : isReverse ? 'reverse' : 'forward',
      tests: parameters.getAll('filter').map(pywbFilter),
      collapse: collapseTime === undefined ? [] : [collapseKey(`timestamp:${collapseTime}`)],
      offset: page.offset,
      limit: Math.min(limit, page.limit),
      fieldsOf: pywbFields,
    },
    output: oneOf(parameters, 'output', PYWB_OUTPUTS) ?? 'cdxj',
    fields: fieldList(parameters.get('fl') ?? parameters.get('fields') ?? undefined, 'fl'),
    paging,
  };
}

/** One line each, but for `link`, which is a TimeMap. */
export async function* pywbAnswer(
  lines: AsyncIterable<CdxLine>,
  { output, fields }: Pick<PywbQuestion, 'output' | 'fields'>,
): AsyncIterable<string> {
  for await (const { fields: all } of lines) {
    if (output === 'text')
      yield `${(fields ?? Object.keys(all)).map((name) => fieldText(all, name)).join(' ')}\n`;
    else if (output === 'json') yield `${asciiJson(picked(all, fields))}\n`;
    else {
      const { urlkey, timestamp, ...rest } = all;
      const wanted = fields?.filter((name) => name !== 'urlkey' && name !== 'timestamp');
      yield `${urlkey} ${timestamp} ${asciiJson(picked(rest, wanted))}\n`;
    }
  }
}

const picked = (all: CdxFields, names: readonly string[] | undefined): CdxFields =>
  names ? Object.fromEntries(names.map((name) => [name, all[fieldNamed(name, 'fl')] ?? ''])) : all;
