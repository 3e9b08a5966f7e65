import { parentOf } from '../../science/evolution/site-path.ts';
import { html, type SafeHtml } from '../safe-html.ts';
import { isoOf, percentText } from '../sharpness-report/times.ts';
import type { DirectoryView, RulesReport, RuleView, SkipView } from './rules-report.ts';

/**
 * The directory tree of a site, a strip of how much of each directory changed from version to version, the rules as chains
 * between its rows, and what the next crawl would leave out. SVG without script, fonts or anything from outside.
 */

/** Directories drawn; the largest and those above them. The others are counted. */
const ROWS = 36;
/** Rules drawn, the surest. */
const RULES = 8;
const ROW = 22;
const TOP = 92;
const LEFT = 24;
const NAME = 210;
/** Where the strip begins. */
const STRIP = LEFT + NAME + 46;
const STRIP_WIDTH = 420;
const CELL_MAX = 22;
const LANE = 14;
/** Width of the words behind the rows. */
const WORDS = 300;

const HEAT = ['#edf1f5', '#fbe3c8', '#f7c08a', '#ee8f4d', '#d4601f', '#98350c'] as const;

export function rulesFigure(report: RulesReport): string {
  const { site, versions, directories, rules, plan } = report;
  const rows = chosen(directories, plan.kind === 'plan' ? plan.skips : []);
  const place = new Map(rows.map(({ directory }, i) => [directory, i]));
  const drawn = rules
    .filter(({ head, tail }) => [...head, tail].every((one) => place.has(one)))
    .slice(0, RULES);
  const transitions = versions.length - 1;
  const cell = Math.min(CELL_MAX, STRIP_WIDTH / Math.max(1, transitions));
  const lanes = STRIP + cell * Math.max(1, transitions) + 12;
  const words = lanes + drawn.length * LANE + 12;
  const width = words + WORDS;
  const height = TOP + rows.length * ROW + 84;
  const skips = new Map(
    plan.kind === 'plan' ? plan.skips.map((skip) => [skip.directory, skip] as const) : [],
  );
  const hidden = directories.length - rows.length;
  const content = [
    html`<text class="title" x="${LEFT}" y="30">${site}: what changes, what stays</text>`,
    html`<text class="soft" x="${LEFT}" y="50">${subtitle(report)}</text>`,
    timeAxis(versions, cell),
    ...rows.map((row, i) => rowOf(row, i, { skip: skips.get(row.directory), cell, words, width })),
    ...drawn.map((rule, lane) => chain(rule, lanes + lane * LANE + LANE / 2, place)),
    legend(TOP + rows.length * ROW + 22, hidden, drawn.length, rules.length),
  ];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fix(width)} ${height}" width="${fix(width)}" height="${height}" role="img" aria-label="${site}: directories, how much of each changed from version to version, rules and planned skips"><style>${STYLE}</style><defs><pattern id="unseen" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" fill="#fff"/><rect width="1.4" height="5" fill="#c9d0d8"/></pattern></defs><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`
    .markup;
}

const STYLE = `text{font:12px system-ui,sans-serif;fill:#23303d}.title{font-size:18px;font-weight:600}.soft{fill:#5f6e7c}.end{text-anchor:end}.small{font-size:11px}.rule{stroke:#2f5d8a;stroke-width:1.6;fill:none}.head{fill:#2f5d8a}.tail{fill:#fff;stroke:#2f5d8a;stroke-width:1.6}.skip{fill:#e3f2e6}.mark{fill:#1d7a3c;font-weight:600}`;

function subtitle({ versions, plan }: RulesReport): string {
  const [first, last] = [versions[0], versions.at(-1)];
  const span = first && last ? `, ${isoOf(first.at).slice(0, 10)} to ${isoOf(last.at).slice(0, 10)}` : '';
  const known = `${versions.length} versions${span}`;
  if (plan.kind === 'none') return `${known}. The next crawl visits everything: ${plan.why}.`;
  const pages = plan.skips.reduce((sum, skip) => sum + skip.pages, 0);
  return `${known}. Of ${last?.pages ?? 0} pages the next crawl leaves out ${pages}; ${percentText(plan.promisedMiss)} of the changed ones expected to be missed.`;
}

/** The first, the last and a few between. */
function timeAxis(versions: RulesReport['versions'], cell: number): SafeHtml {
  const transitions = versions.length - 1;
  if (transitions < 1) return html``;
  const step = Math.max(1, Math.ceil(72 / cell));
  const sameDay = versions.every(
    ({ at }) => isoOf(at).slice(0, 10) === isoOf(versions[0]?.at ?? 0).slice(0, 10),
  );
  const label = (at: number): string => (sameDay ? isoOf(at).slice(11, 16) : isoOf(at).slice(5, 10));
  const ticks = versions.slice(1).flatMap(({ at }, t) => {
    if (t % step !== 0 && t !== transitions - 1) return [];
    if (t % step !== 0 && (transitions - 1) % step < step / 2) return [];
    return [
      html`<text class="soft small" text-anchor="middle" x="${fix(STRIP + (t + 0.5) * cell)}" y="${TOP - 8}">${label(at)}</text>`,
    ];
  });
  return html`<text class="soft small end" x="${STRIP - 24}" y="${TOP - 8}">pages</text>${ticks}`;
}

interface RowPlace {
  readonly skip: SkipView | undefined;
  readonly cell: number;
  readonly words: number;
  readonly width: number;
}

function rowOf(row: DirectoryView, index: number, { skip, cell, words, width }: RowPlace): SafeHtml {
  const { directory, depth, allPages, degrees } = row;
  const y = TOP + index * ROW;
  const middle = y + ROW / 2 + 4;
  const indent = Math.min(depth, 8) * 12;
  const name = depth === 0 ? '/' : `${directory.slice(0, -1).split('/').at(-1)}/`;
  const cells = degrees.map(
    (degree, t) =>
      html`<rect x="${fix(STRIP + t * cell)}" y="${y + 3}" width="${fix(Math.max(1, cell - 1.5))}" height="${ROW - 6}" rx="2" fill="${colourOf(degree)}"><title>${directory}: ${degree === null ? 'not looked at' : `${percentText(degree)} changed`}</title></rect>`,
  );
  const note = skip
    ? html`<text x="${words}" y="${middle}"><tspan class="mark">skip</tspan> ${short(`${skip.pages === 1 ? 'one page' : `${skip.pages} pages`}, ${skip.expectedMissed.toFixed(2)} missed: ${skipNote(skip)}`, 44)}<title>${skip.rule}</title></text>`
    : html``;
  const ground = skip
    ? html`<rect class="skip" x="${LEFT - 10}" y="${y + 1}" width="${fix(width - LEFT)}" height="${ROW - 2}" rx="4"/>`
    : html``;
  return html`${ground}<text x="${LEFT + indent}" y="${middle}">${short(name, 30 - Math.min(depth, 8) * 2)}<title>${directory}</title></text><text class="soft small end" x="${STRIP - 8}" y="${middle}">${allPages}</text>${cells}${note}`;
}

const SHORT_NOTES = {
  near: 'a rule',
  'relaxed-near': 'a rule',
  predicted: 'few expected',
  sitemap: 'sitemap',
  mirror: 'mirror',
} as const;

const skipNote = ({ reason, rule }: SkipView): string =>
  reason === 'quiet'
    ? rule.replace('nothing changed in the last', 'quiet for').replace(' at it', '')
    : SHORT_NOTES[reason];

const colourOf = (degree: number | null): string => {
  if (degree === null) return 'url(#unseen)';
  if (degree <= 0) return HEAT[0];
  return HEAT[Math.min(HEAT.length - 1, 1 + Math.floor(degree * (HEAT.length - 1)))] ?? HEAT[0];
};

/** Filled where a rule assumes a change, open where it says that there is none. */
function chain({ head, tail, words }: RuleView, x: number, place: ReadonlyMap<string, number>): SafeHtml {
  const y = (directory: string): number => TOP + (place.get(directory) ?? 0) * ROW + ROW / 2;
  const heights = [...head, tail].map(y);
  return html`<g><title>${words}</title><path class="rule" d="M${fix(x)} ${Math.min(...heights)}V${Math.max(...heights)}"/>${head.map((one) => html`<circle class="head" cx="${fix(x)}" cy="${y(one)}" r="3.6"/>`)}<circle class="tail" cx="${fix(x)}" cy="${y(tail)}" r="4.2"/></g>`;
}

function legend(y: number, hidden: number, drawn: number, rules: number): SafeHtml {
  const steps = HEAT.map(
    (colour, i) =>
      html`<rect x="${LEFT + 186 + i * 18}" y="${y - 10}" width="16" height="12" rx="2" fill="${colour}"/>`,
  );
  const after = LEFT + 186 + HEAT.length * 18;
  const chains =
    drawn > 0
      ? html`<circle class="head" cx="${after + 178}" cy="${y - 4}" r="3.6"/><text class="soft small" x="${after + 187}" y="${y}">when these change,</text><circle class="tail" cx="${after + 316}" cy="${y - 4}" r="4.2"/><text class="soft small" x="${after + 327}" y="${y}">this does not${rules > drawn ? ` (${drawn} of ${rules} rules)` : ''}</text>`
      : html``;
  const more =
    hidden > 0
      ? html`<text class="soft small" x="${LEFT}" y="${y + 24}">${hidden} smaller directories are not drawn; they are in --format json.</text>`
      : html``;
  return html`<text class="soft small" x="${LEFT}" y="${y}">share of nodes changed: none</text>${steps}<text class="soft small" x="${after + 4}" y="${y}">all</text><rect x="${after + 34}" y="${y - 10}" width="16" height="12" rx="2" fill="url(#unseen)" stroke="#c9d0d8" stroke-width=".5"/><text class="soft small" x="${after + 56}" y="${y}">not looked at</text>${chains}${more}`;
}

/** The largest directories, what would be skipped first, each with those above it, as a tree. */
function chosen(directories: readonly DirectoryView[], skips: readonly SkipView[]): readonly DirectoryView[] {
  if (directories.length <= ROWS) return directories;
  const byPath = new Map(directories.map((one) => [one.directory, one]));
  const skipped = new Set(skips.map(({ directory }) => directory));
  const wanted = new Set<string>();
  const ranked = directories.toSorted(
    (a, b) => weight(b, skipped) - weight(a, skipped) || (a.directory < b.directory ? -1 : 1),
  );
  for (const { directory } of ranked) {
    const chainUp: string[] = [];
    for (let at: string | undefined = directory; at !== undefined && !wanted.has(at); at = parentOf(at))
      if (byPath.has(at)) chainUp.push(at);
    if (wanted.size + chainUp.length > ROWS) continue;
    for (const one of chainUp) wanted.add(one);
  }
  return directories.filter(({ directory }) => wanted.has(directory));
}

const weight = ({ directory, allPages }: DirectoryView, skipped: ReadonlySet<string>): number =>
  allPages * (skipped.has(directory) ? 2 : 1);

const short = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

const fix = (value: number): string => String(Number(value.toFixed(1)));
