import { type GroupView, type PatternValues, type PatternView, periodLabels } from './patterns.ts';

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One character per value, the highest for `most`; a period in which nothing is expected stays empty. */
export function bars(values: readonly number[], most: number): string {
  return values
    .map((value) => {
      const level = most > 0 ? value / most : 0;
      return level <= 0 ? ' ' : BLOCKS[Math.min(BLOCKS.length - 1, Math.floor(level * BLOCKS.length))];
    })
    .join('');
}

/** Labels over the bars, as many as there is room for; '' where the axis speaks for itself. */
function axis(labels: readonly string[]): string {
  let line = '';
  for (const [place, label] of labels.entries()) {
    const every = labels.length > 12 ? (labels.length === 31 ? 5 : 3) : 1;
    const wanted = labels.length === 31 ? (place + 1) % every === 0 || place === 0 : place % every === 0;
    if (wanted && line.length <= place) line = line.padEnd(place) + label;
  }
  return line;
}

/** Characters that a short axis gives each period: names of days need two and a space. */
const wide = (periods: number): number => (periods <= 7 ? 3 : 1);

function drawing(rows: readonly PatternValues[], labels: readonly string[]): string[] {
  const most = Math.max(...rows.flatMap(({ values }) => values));
  const indent = Math.max(...rows.map(({ label }) => label.length));
  const width = wide(labels.length);
  const stretched = (text: string): string =>
    [...text].map((one) => one.repeat(width - 1) + (width > 1 ? ' ' : one)).join('');
  const head = width > 1 ? labels.map((label) => label.padEnd(width)).join('') : axis(labels);
  const edge = indent > 0 ? indent + 1 : 0;
  return [
    ' '.repeat(edge) + head,
    ...rows.map(({ label, values }) => {
      const drawn = bars(values, most);
      return (edge > 0 ? label.padEnd(edge) : '') + (width > 1 ? stretched(drawn) : drawn);
    }),
  ].map((line) => `    ${line.trimEnd()}`);
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const short = (value: number): string => String(Number(value.toPrecision(3)));
const dateText = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

/** Visits a day apart, or too few, say how often a page changes and not when. */
function isFlat(rows: readonly PatternValues[]): boolean {
  const values = rows.flatMap((row) => row.values);
  return Math.max(...values) < 1.2 * Math.min(...values);
}

/** Milliseconds. Hours that nobody looked at have a guess, not an observation: bars for them would be made up. */
const SHORTEST = 86_400_000;

/** What visits must still bring before bars, or changes a day, say anything; undefined where they do. */
export function missingFor({ firstAt, lastAt }: Pick<PatternView, 'firstAt' | 'lastAt'>): string | undefined {
  const seconds = (lastAt - firstAt) / 1000;
  if (lastAt - firstAt >= SHORTEST) return undefined;
  const span =
    seconds >= 3600
      ? `${short(seconds / 3600)} h`
      : seconds >= 60
        ? `${short(seconds / 60)} min`
        : `${short(seconds)} s`;
  return `no rhythm yet: its visits lie within ${span}; visits over at least a day, at several hours of it, are missing`;
}

const NO_RHYTHM = 'no rhythm, as far as these visits tell';

/** For people: what is known and how well, then the pattern in bars. */
export function patternText(view: PatternView): string {
  const { url, kind, zone, periods, period, observations, changes, changesPerDay, goneAt } = view;
  const missing = missingFor(view);
  const length = period >= 86_400 ? 'a day' : `${short(period / 3600)} h`;
  const facts = [
    `${kind}: ${periods} periods of ${length}, ${zone}`,
    `seen ${plural(observations, 'time')} (${dateText(view.firstAt)} to ${dateText(view.lastAt)}), ` +
      plural(changes, 'change') +
      ` seen${missing === undefined ? `, about ${short(changesPerDay)} a day as the mean of its periods` : ''}`,
    `confidence ${view.confidence.toFixed(2)}, learnt from ${view.weigh}, threshold ${short(view.threshold)}` +
      `${view.factor === 1 ? '' : ` (${short(view.factor)} times its own, for the storage budget)`}, ` +
      `group ${view.group + 1} of ${plural(view.groupPages, 'page')}`,
  ];
  if (missing !== undefined) facts.push(missing);
  else if (isFlat(view.pattern)) facts.push(NO_RHYTHM);
  if (goneAt !== undefined) facts.push(`gone since ${dateText(goneAt)}`);
  if (missing !== undefined) return [url, ...facts.map((fact) => `  ${fact}`)].join('\n');
  const drawn = drawing(view.pattern, periodLabels(kind, periods));
  return [url, ...facts.map((fact) => `  ${fact}`), ...drawn].join('\n');
}

/** A page in two lines: for the demo. */
export function patternLine(view: PatternView): string {
  const { url, pattern, observations, changes, changesPerDay, confidence } = view;
  const missing = missingFor(view);
  if (missing !== undefined)
    return `${url}\n  ${missing} (${plural(changes, 'change')} seen in ${plural(observations, 'visit')})`;
  const most = Math.max(...pattern.flatMap(({ values }) => values));
  const drawn = pattern.map(({ label, values }) => `${label === '' ? '' : `${label} `}${bars(values, most)}`);
  const facts = `${short(changesPerDay)} changes a day (${changes} seen in ${observations} visits, confidence ${confidence.toFixed(2)})`;
  return `${url}\n  ${isFlat(pattern) ? '' : `${drawn.join('  ')}  `}${facts}`;
}

export function groupText({ site, kind, number, pages, rows }: GroupView): string {
  const drawn = drawing(rows, periodLabels(kind, rows[0]?.values.length ?? 0));
  return [`${site}, ${kind}, group ${number + 1}: ${plural(pages, 'page')} share`, ...drawn].join('\n');
}
