import type { CertificateStatement } from '../../model/certificate.ts';
import { FAULTS, type FaultKind, SKIPS, type SkipReason } from '../../model/fault.ts';
import { expectedSharpness } from '../../science/sharpness/expected-sharpness.ts';
import { calibrationLines } from '../directory-rules/rules-text.ts';
import { completenessWords } from './completeness-words.ts';
import { cutWords, fateOf } from './figures.ts';
import { groupLines } from './group-lines.ts';
import type { QualityReport } from './quality-report.ts';
import { sharpnessWords } from './sharpness-words.ts';
import { bytesText, DAY, FATES, isoOf, momentText, numberText, percentText, spanText } from './times.ts';

/** Columns of the pictures. */
const WIDTH = 60;
/** Failed URLs that are named; `report --failed` names all. */
const FAILURES_SHOWN = 5;
/** Pages whose interval is drawn. */
const ROWS = 40;

/** The report for a terminal: lines that end in a line end. `more` completes the command that it names. */
export function reportText(report: QualityReport, more = ''): string {
  const { site, crawl, certificate } = report;
  const lines = [
    `${site}, crawl ${crawl.id} (${crawl.state}), begun ${momentText(isoOf(crawl.startedAt))}`,
    ...(crawl.otherSites > 0
      ? [
          `This is about ${site} alone; the crawl visited ${crawl.otherSites} other site${crawl.otherSites === 1 ? '' : 's'}.`,
        ]
      : []),
    '',
    ...(certificate
      ? sharpness(certificate.statement, report.observation)
      : ['No certificate: the crawl is not finished, or from before there were any.']),
    '',
    ...coverage(report, more),
  ];
  return `${lines.join('\n')}\n`;
}

function sharpness(statement: CertificateStatement, observation: QualityReport['observation']): string[] {
  const { sharp, date, blur, interval, pages } = statement;
  const of = (count: number): string =>
    `${count} of ${sharp.pages}${sharp.pages > 0 ? ` (${percentText(count / sharp.pages)})` : ''}`;
  const words = sharpnessWords({ blur: blur.expected, sharp, revisited: sharp.revisited > 0 });
  const lines = ['Sharpness: do the pages belong together in time?', `  ${words}`];
  if (interval) {
    const length = Date.parse(interval.end) - Date.parse(interval.start);
    lines.push(
      `  interval       ${momentText(interval.start)} to ${momentText(interval.end)} (${spanText(length)})`,
    );
  }
  if (sharp.revisited > 0) {
    lines.push(
      `  strictly sharp ${of(sharp.strict)}: same bytes at visit and revisit`,
      `  visibly sharp  ${of(sharp.visible)}: a reader sees the same` +
        (sharp.visibleUnknown > 0 ? `; not known of ${sharp.visibleUnknown}` : ''),
    );
  } else lines.push('  sharp pages    not known: no page was visited twice (--revisit sharp)');
  const cut = cutWords(pages);
  if (cut) lines.push(`  cut short      ${of(cut.pages)}: ${cut.words}`);
  const expected = expectedSharpness(statement);
  if (expected) {
    lines.push(
      `  expected sharp ${numberText(expected.order)}, in breadth-first order ${numberText(expected.breadthFirst)}, if pages change as often as believed`,
    );
  }
  if (date.strict) {
    const { time, from, to, proven, wholeSite } = date.strict;
    lines.push(
      `  t*             ${momentText(time)}: ${wholeSite ? 'all pages were' : `${proven} pages were`} then as archived`,
      `                 any time from ${momentText(from)} to ${momentText(to)} proves as much`,
    );
  }
  lines.push(...groupText(statement));
  if (blur.exact !== undefined) lines.push(`  blur, exact    ${numberText(blur.exact)}`);
  lines.push(
    `  blur           ${numberText(blur.expected)} expected; breadth-first ${numberText(blur.breadthFirst)}` +
      (blur.ratio === null ? '' : ` (ratio ${blur.ratio.toFixed(3)})`),
  );
  if (observation) lines.push(...observationText(observation));
  if (pages.length > 0) lines.push('', ...pipes(statement), '', ...intervalRows(statement));
  return lines;
}

/** Over the times that a reader may ask for and be shown this capture. */
function observationText({
  start,
  end,
  previousEnd,
  nextStart,
  blur,
}: NonNullable<QualityReport['observation']>): string[] {
  const sides = [
    previousEnd === null ? 'none before' : 'half way to the capture before',
    nextStart === null ? 'none after yet' : 'half way to the next',
  ];
  const moments = [start, end].map((at) => momentText(new Date(at).toISOString()));
  return [
    `  observed       ${moments.join(' to ')} (${sides.join(', ')}): blur ${numberText(blur)} for a reader who asks for any time of it`,
  ];
}

const LEVELS = ' ▁▂▃▄▅▆▇█';

/** Rates in the order of visits, as one line of bars. */
function pipes({ pages }: CertificateStatement): string[] {
  const columns = Math.min(WIDTH, pages.length);
  const means = Array.from({ length: columns }, (_, column) => {
    const some = pages.slice(
      Math.floor((column * pages.length) / columns),
      Math.floor(((column + 1) * pages.length) / columns),
    );
    return some.reduce((sum, { rate }) => sum + rate, 0) / some.length;
  });
  const max = Math.max(...means);
  const bars = means.map((mean) => LEVELS[max > 0 ? Math.ceil((mean / max) * (LEVELS.length - 1)) : 0]);
  return [
    `Change rate by order of visits (highest: ${numberText(max * DAY)} changes a day)`,
    `  ${bars.join('')}`,
    `  first${'last'.padStart(Math.max(5, columns - 5))}`,
  ];
}

function intervalRows(statement: CertificateStatement): string[] {
  const { pages, interval, date } = statement;
  if (!interval) return [];
  const start = Date.parse(interval.start);
  const length = Math.max(1, Date.parse(interval.end) - start);
  const column = (iso: string): number => Math.round(((Date.parse(iso) - start) / length) * (WIDTH - 1));
  const every = Math.max(1, Math.ceil(pages.length / ROWS));
  const star = date.strict ? column(date.strict.time) : undefined;
  const key = Object.values(FATES).map(({ mark, words }) => `${mark} ${words}`);
  const rows = pages
    .filter((_, i) => i % every === 0)
    .map((page) => {
      const cells = new Array<string>(WIDTH).fill(' ');
      if (star !== undefined) cells[star] = '│';
      const { mark } = FATES[fateOf(page)];
      for (let i = column(page.visit.time); i <= column((page.revisit ?? page.visit).time); i++)
        cells[i] = mark;
      return `  ${cells.join('')}  ${new URL(page.url).pathname.slice(0, 40)}`;
    });
  return [
    `Intervals from visit to revisit${every > 1 ? `, one page in ${every}` : ''}: ${key.join(', ')}${star === undefined ? '' : '; │ t*'}`,
    ...(star === undefined ? [] : [`  ${' '.repeat(star)}*`]),
    ...rows,
  ];
}

/** Groups listed; the certificate has all. */
const GROUPS = 10;

function groupText(statement: CertificateStatement): string[] {
  const { groups = [] } = statement;
  if (groups.length === 0) return [];
  const together = groups.filter(({ visible }) => visible?.wholeGroup).length;
  return [
    `  agreement      ${together} of ${groups.length} groups of pages that must agree are sharp together`,
    ...groupLines(statement, GROUPS).map(
      ({ what, url, verdict }) => `                 ${what}, ${url}: ${verdict}`,
    ),
    ...(groups.length > GROUPS ? [`                 and ${groups.length - GROUPS} more`] : []),
  ];
}

/** Directories listed. */
const DIRECTORIES = 10;

function inferred(found: QualityReport['coverage']['inferred']): string[] {
  if (!found) return [];
  const { pages, directories, expectedMissed, listed } = found;
  const kept = listed.filter(({ state }) => state === 'inferred');
  return [
    ...(pages > 0
      ? [
          `  inferred       ${pages} not visited, taken for unchanged: ${directories === 1 ? 'one directory' : `${directories} directories`}, about ${numberText(expectedMissed)} of them changed all the same`,
        ]
      : []),
    ...kept
      .slice(0, DIRECTORIES)
      .map(
        ({ directory, pages: own, rule, confidence }) =>
          `                 ${own} directly in ${directory}: ${rule} (${percentText(confidence)} sure)`,
      ),
    ...(kept.length > DIRECTORIES
      ? [`                 and ${kept.length - DIRECTORIES} more directories`]
      : []),
  ];
}

function coverage(report: QualityReport, more: string): string[] {
  const { site, crawl, coverage: c, errors, storage, completeness, calibration } = report;
  const count = <K extends string>(counts: Readonly<Partial<Record<K, number>>>, means: (key: K) => string) =>
    (Object.entries(counts) as [K, number][])
      .sort(([, a], [, b]) => b - a)
      .map(([key, n]) => `                 ${n} ${key}: ${means(key)}`);
  const { resources: r } = c;
  const embedded = r.captured + r.unchanged + r.failed;
  return [
    'Coverage',
    `  pages          ${c.captured + c.unchanged} archived${c.share === null ? '' : ` (${percentText(c.share)} of those tried)`}: ${c.new} new, ${c.changed} changed, ${c.unchanged} unchanged`,
    ...inferred(c.inferred),
    `  redirects      ${c.redirects}`,
    `  gone           ${c.gone}`,
    `  failed         ${c.failed}`,
    ...count(errors.failures, (kind: FaultKind) => FAULTS[kind].means),
    ...(c.impaired
      ? [
          '  impaired       captured, but not as they should have been',
          ...count(c.impaired, (kind: FaultKind) => FAULTS[kind].means),
        ]
      : []),
    ...(c.pending > 0 ? [`  left           ${c.pending}`] : []),
    ...(embedded > 0
      ? [
          `  resources      ${embedded} beside the pages: ${r.captured} new or changed, ${r.unchanged} unchanged, ${r.failed} failed`,
        ]
      : []),
    `  skipped        ${c.skipped}`,
    ...count(c.skips, (reason: SkipReason) => SKIPS[reason]),
    ...(c.sharedSkips
      ? [
          '  of all sites of the crawl together, the catalog does not tell of which:',
          ...count(c.sharedSkips, (reason: SkipReason) => SKIPS[reason]),
        ]
      : []),
    ...errors.urls.slice(0, FAILURES_SHOWN).map(({ url, kind }) => `  ! ${kind}: ${url}`),
    ...(c.failed > FAILURES_SHOWN
      ? [
          `  and ${c.failed - FAILURES_SHOWN} more: daguerre report ${site} --crawl ${crawl.id} --failed${more}`,
        ]
      : []),
    ...(calibration ? calibrationLines(calibration) : []),
    'Completeness',
    completeness
      ? `  versions       ${completeness.archived} archived of about ${numberText(completeness.believed)} (${percentText(completeness.estimate)}), if pages change as often as believed`
      : `  versions       not known${report.certificate ? ': most captures are younger than what the certificate believes of pages' : ''}`,
    ...completenessWords(report.weightedCompleteness).map(
      ({ name, value, means }) => `  ${name.padEnd(15)}${value}: ${means}`,
    ),
    'Storage of the site',
    `  captures       ${storage.captures}, their own records ${bytesText(storage.bytes)}; ${storage.revisits} without payload${storage.saved > 0 ? `, which saved ${bytesText(storage.saved)}` : ''}`,
  ];
}
