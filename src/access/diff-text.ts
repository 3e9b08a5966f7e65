import {
  countText,
  firstDifference,
  movedText,
  quoted,
  type ReaderLine,
  type ReaderReport,
  summaryText,
} from '../science/delta/reader-words.ts';

export interface DiffText {
  readonly told: ReaderReport;
  readonly title: string;
  /** Said before all else. */
  readonly instead?: string | undefined;
  readonly from: { readonly url: string; readonly version: string };
  readonly to: { readonly url: string; readonly version: string };
  readonly importance: number;
  readonly salience?: number | undefined;
  /** The salience in a sentence: what is said first. */
  readonly why?: string | undefined;
  readonly partial?: string | undefined;
}

/** Lines that the text shows unless all are asked for. */
const SHOWN = 15;

/** A comparison for people: the sum of it in one line, then what changed, place by place, the most important first. */
export function diffText(compared: DiffText, all: boolean): string {
  const { told, title, instead, from, to, importance, salience, why = '', partial } = compared;
  const { figures, reshaped, moved } = told;
  // Pages full of promotions change little else: what they turn would push all else off the list.
  const lines = all ? told.lines : told.lines.filter(({ advertisement }) => !advertisement);
  const ads = told.lines.length - lines.length;
  const shown = all ? lines : lines.slice(0, SHOWN);
  const rest = lines.slice(shown.length);
  const least = partial === undefined ? '' : 'at least ';
  const out = [
    ...(instead === undefined ? [] : [instead]),
    // The reader's number says best what happened, where it is known.
    why === '' ? summaryText(told, partial !== undefined) : `${why[0]?.toUpperCase()}${why.slice(1)}`,
    ...(partial === undefined ? [] : [`PARTIAL: ${partial}. There may be more changes than these.`]),
    '',
    ...(title === '' ? [] : [title]),
    ...addresses(from.url, to.url),
    [
      `${timeText(from.version)} → ${timeText(to.version)}`,
      ...(salience === undefined ? [] : [`salience ${least}${salience.toFixed(2)}`]),
      `importance ${least}${importance.toFixed(3)}`,
    ].join(', '),
    ...placed(shown),
  ];
  const ending = [
    ...(rest.length > 0 ? [`${countText(rest)}: --all shows them`] : []),
    ...(ads > 0
      ? [`${ads === 1 ? 'one change' : `${ads} changes`} in advertisements: --all shows them`]
      : []),
    ...(figures.length > 0 && !all
      ? [
          `${figures.length === 1 ? 'one count, time or price' : `${figures.length} counts, times or prices`} changed: --all shows them`,
        ]
      : []),
    ...(moved.length > 0 && lines.length > 0 ? [movedText(moved)] : []),
    ...(reshaped > 0
      ? [
          `${reshaped === 1 ? 'one block is' : `${reshaped} blocks are`} laid out otherwise, with what ${reshaped === 1 ? 'it' : 'they'} held`,
        ]
      : []),
  ];
  if (all && figures.length > 0) out.push('', 'Only figures changed', ...placed(figures));
  if (ending.length > 0) out.push('', ...ending);
  return `${out.join('\n')}\n`;
}

/** A file that does not say where it is from has no address that a reader could know. */
function addresses(from: string, to: string): string[] {
  const isKnown = (url: string): boolean => !URL.canParse(url) || new URL(url).hostname !== 'page.invalid';
  if (from === to) return isKnown(to) ? [to] : [];
  return isKnown(from) ? [`${from} →`, to] : isKnown(to) ? [to] : [];
}

/** What happened in one place stands together, where the most important of it would. */
function placed(lines: readonly ReaderLine[]): string[] {
  const places = new Map<string, ReaderLine[]>();
  for (const line of lines) places.set(line.place, [...(places.get(line.place) ?? []), line]);
  return [...places].flatMap(([place, own]) => [
    '',
    `${place[0]?.toUpperCase()}${place.slice(1)}`,
    ...own.flatMap(row),
  ]);
}

const WORDS = {
  new: 'new',
  gone: 'gone',
  replaced: 'now',
  changed: 'now',
  moved: 'moved here',
  link: 'leads to',
} as const;

function row({ kind, text, before, from, picture, advertisement }: ReaderLine): string[] {
  const about = `${picture ? ' (picture)' : ''}${from === undefined ? '' : ` (from ${from})`}${advertisement ? ' (advertisement)' : ''}`;
  const start = kind === 'changed' && before !== undefined ? firstDifference(before, text) : 0;
  const now = `  ${WORDS[kind].padEnd(10)} ${quoted(text, start)}${about}`;
  if (before === undefined || before === '') return [now];
  return [`  ${'was'.padEnd(10)} ${quoted(before, start)}`, now];
}

/** To the minute, UTC; the name of a file as it is. */
function timeText(version: string): string {
  return /^\d{4}-\d\d-\d\dT/.test(version) ? `${version.slice(0, 16).replace('T', ' ')} UTC` : version;
}
