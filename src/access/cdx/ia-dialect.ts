import type { IndexPlace } from '../../ports/catalog.ts';
import { formatTimestamp, parseTimestamp } from '../replay-url.ts';
import { fieldList, fieldText, IA_FIELDS, iaFields } from './cdx-fields.ts';
import { collapseKey, iaFilter } from './cdx-filter.ts';
import type { CdxLine, CdxRequest } from './cdx-lines.ts';
import {
  countOf,
  isSet,
  linesOfPage,
  MOST_LAST,
  oneOf,
  type Paging,
  pagingOf,
  rangeOf,
  spanOf,
  timeOf,
} from './cdx-parameters.ts';
import { CdxProblem } from './cdx-problem.ts';

export interface IaQuestion {
  readonly request: CdxRequest;
  readonly output: 'text' | 'json';
  readonly fields: readonly string[];
  readonly showResumeKey: boolean;
  readonly paging: Paging | undefined;
}

/** What the Wayback Machine's server has and this one has not: told, rather than answered as if it were not there. */
const UNKNOWN = ['showDupeCount', 'showSkipCount', 'lastSkipTimestamp', 'showPagedIndex', 'showGroupCount'];

/** `/cdx/search/cdx?…`, as the Internet Archive's CDX server reads it. */
export function iaQuestion(parameters: URLSearchParams): IaQuestion {
  for (const name of UNKNOWN)
    if (isSet(parameters, name))
      throw new CdxProblem(`${name}: this server does not count that`, 'leave it out');
  const range = rangeOf(parameters);
  const paging = pagingOf(parameters);
  const closest = timeOf(parameters, 'closest');
  const sort = oneOf(parameters, 'sort', ['reverse', 'closest', 'default', 'regular']);
  const given = countOf(parameters, 'limit', -MOST_LAST);
  const after = placeOf(parameters.get('resumeKey'));
  // fastLatest alone asks for some of the last lines, at least one.
  const last = given !== undefined && given < 0 ? -given : undefined;
  const latest =
    last ?? (isSet(parameters, 'fastLatest') && range.matchType === 'exact' ? (given ?? 1) : undefined);
  const page = paging ? linesOfPage(paging) : { offset: 0, limit: Number.POSITIVE_INFINITY };
  return {
    request: {
      ...range,
      ...spanOf(parameters),
      order:
        closest !== undefined && sort === 'closest'
          ? { closest }
          : sort === 'reverse'
            ? 'reverse'
            : 'forward',
      tests: parameters.getAll('filter').map(iaFilter),
      collapse: parameters.getAll('collapse').filter(Boolean).map(collapseKey),
      offset: page.offset + (countOf(parameters, 'offset', 0) ?? 0),
      limit: Math.min(latest ?? given ?? Number.POSITIVE_INFINITY, page.limit),
      ...(latest !== undefined && { isLast: true }),
      ...(after && { after }),
      fieldsOf: iaFields,
    },
    output: oneOf(parameters, 'output', ['json', 'text', 'csv']) === 'json' ? 'json' : 'text',
    fields: fieldList(parameters.get('fl') ?? undefined, 'fl') ?? IA_FIELDS,
    showResumeKey: isSet(parameters, 'showResumeKey'),
    paging,
  };
}

/** Text, one line each, or one JSON array whose first row names the fields. After a blank row, where a listing goes on. */
export async function* iaAnswer(
  lines: AsyncIterable<CdxLine>,
  { request, output, fields, showResumeKey }: Omit<IaQuestion, 'paging'>,
): AsyncIterable<string> {
  let told = 0;
  let last: CdxLine | undefined;
  let isMore = false;
  for await (const line of lines) {
    // One line more than asked for was read: it tells that there are more.
    if (showResumeKey && !request.isLast && told >= request.limit) {
      isMore = true;
      break;
    }
    const row = fields.map((name) => fieldText(line.fields, name));
    if (output === 'json')
      yield told === 0 ? `[${JSON.stringify(fields)},\n${JSON.stringify(row)}` : `,\n${JSON.stringify(row)}`;
    else yield `${row.join(' ')}\n`;
    told++;
    last = line;
  }
  const key = isMore && last ? resumeKey(last.place) : undefined;
  if (output === 'json')
    yield `${told === 0 ? '[' : ''}${key === undefined ? '' : `,\n[],\n${JSON.stringify([key])}`}]\n`;
  else if (key !== undefined) yield `\n${key}\n`;
}

/** The request to read for an answer: with one line more where the answer says whether it goes on. */
export const requestToRead = ({ request, showResumeKey }: IaQuestion): CdxRequest =>
  showResumeKey && !request.isLast ? { ...request, limit: request.limit + 1 } : request;

/** `org,example)/ 20240101000000!2`, encoded as the Wayback Machine's are. */
const resumeKey = ({ surt, at, read }: IndexPlace): string =>
  encodeURIComponent(`${surt} ${formatTimestamp(at)}!${read}`)
    .replace(/%20/g, '+')
    .replace(/!/g, '%21');

function placeOf(given: string | null): IndexPlace | undefined {
  if (given === null || given === '') return undefined;
  // Clients send it as they were told it, or encode it once more.
  for (const text of [given, decoded(given)]) {
    const [, surt, digits, read] = /^(.+) (\d{4,17})(?:!(\d{0,9}))?$/s.exec(text) ?? [];
    const at = digits === undefined ? undefined : parseTimestamp(digits);
    if (surt !== undefined && at !== undefined)
      return { surt, at, read: read ? Number(read) : Number.MAX_SAFE_INTEGER };
  }
  throw new CdxProblem(`resumeKey: '${given}' is none of ours`, 'send the last line of the answer before');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
