import type { CertificateStatement, CertifiedPage } from '../../model/certificate.ts';
import { FAULTS, type FaultKind, SKIPS, type SkipReason } from '../../model/fault.ts';
import { expectedSharpness } from '../../science/sharpness/expected-sharpness.ts';
import { calibrationLines } from '../directory-rules/rules-text.ts';
import { html, SafeHtml } from '../safe-html.ts';
import { completenessWords } from './completeness-words.ts';
import { blurBars, cutWords, fateOf, intervals, organPipes } from './figures.ts';
import { groupLines } from './group-lines.ts';
import type { QualityReport } from './quality-report.ts';
import { STYLE } from './report-style.ts';
import {
  bytesText,
  FATES,
  type Fate,
  isoOf,
  momentText,
  numberText,
  percentText,
  spanText,
} from './times.ts';

/** Pages listed in the table; the certificate itself has all of them. */
const LISTED = 2000;

/** The report as one page that needs nothing from outside: to be read, printed, signed and filed. */
export function reportPage(report: QualityReport, fingerprint: string | undefined): string {
  const { site, crawl, certificate } = report;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Quality of the capture of ${site}, ${isoOf(crawl.startedAt).slice(0, 10)}</title><style>${new SafeHtml(STYLE)}</style></head><body>
<header><h1>${site}</h1><p>Quality of the capture begun ${momentText(isoOf(crawl.startedAt))} · crawl ${crawl.id}, ${crawl.state}</p></header>
${certificate ? sharpness(certificate.statement, report.observation) : html`<section><h2>Sharpness</h2><p>There is no certificate: the crawl is not finished, or from before there were any.</p></section>`}
${coverage(report)}
${certificate ? proof(certificate, fingerprint) : ''}
${certificate ? groupTable(certificate.statement) : ''}
${certificate ? pageTable(certificate.statement) : ''}
</body></html>
`;
  return page.markup;
}

function sharpness(statement: CertificateStatement, observation: QualityReport['observation']): SafeHtml {
  const { sharp, interval, date, blur, pages, crawl } = statement;
  const expected = expectedSharpness(statement);
  const share = (count: number): string => (sharp.pages > 0 ? percentText(count / sharp.pages) : '');
  const hasRevisits = sharp.revisited > 0;
  const cut = cutWords(pages);
  return html`<section><h2>Sharpness</h2>
${sentence(statement)}
<dl class="facts">
${interval ? fact('Interval', spanText(Date.parse(interval.end) - Date.parse(interval.start)), `${momentText(interval.start)} to ${momentText(interval.end)}`) : ''}
${hasRevisits ? fact('Strictly sharp', `${sharp.strict} of ${sharp.pages}`, `${share(sharp.strict)}: the same bytes at both visits`) : ''}
${hasRevisits ? fact('Visibly sharp', `${sharp.visible} of ${sharp.pages}`, `${share(sharp.visible)}: a reader sees the same${sharp.visibleUnknown > 0 ? `; not known of ${sharp.visibleUnknown}` : ''}`) : ''}
${cut ? fact('Cut short', `${cut.pages} of ${sharp.pages}`, cut.words) : ''}
${fact('Blur', numberText(blur.expected), `expected changes between what is archived and the moment asked for, all pages together${blur.ratio === null ? '' : `; ${blur.ratio.toFixed(2)} times that of breadth-first`}`)}
${observation ? fact('Blur, any time', numberText(observation.blur), `for a reader who asks for any time from ${momentText(isoOf(observation.start))} to ${momentText(isoOf(observation.end))}, which are mapped to this capture`) : ''}
</dl></section>
${
  pages.length === 0
    ? ''
    : html`<section class="figure"><h2>When each page was seen</h2>
<p class="key">${fatesIn(pages).map((fate) => html`<span><i style="background:${FATES[fate].colour}"></i>${FATES[fate].words}</span>`)}${date.strict ? html`<span><i class="range-key"></i>any time here proves as much as t*</span>` : ''}</p>
${intervals(statement)}</section>
<section class="figure"><h2>Order of visits</h2><p>${ORDERS[crawl.revisit]}</p>
${organPipes(statement)}</section>
<section class="figure"><h2>Blur, beside breadth-first</h2><p>The same pages, requested at the same moments, in breadth-first order${hasRevisits ? ', twice' : ''}.</p>
${blurBars(statement)}
${expected ? html`<p>Sharp pages to be expected, if pages change as often as believed: ${numberText(expected.order)} in this order, ${numberText(expected.breadthFirst)} in breadth-first order.</p>` : ''}</section>`
}`;
}

/** How to read the figure of the order. */
const ORDERS = {
  none: 'Pages that change often belong in the middle of the capture, quiet ones at its ends: like the pipes of an organ.',
  blur: 'Pages that change often belong in the middle of each pass, quiet ones at its ends: like the pipes of an organ.',
  sharp:
    'The more often a page changes, the later it is visited and the sooner revisited; pages that change too often to stay the same anyway come first.',
  agree:
    'As for the most proven pages, with those near each other that must agree: an index page and its articles, parts of a list, pages that show the same numbers.',
} as const;

/** What the capture proves, in a sentence that can be quoted. */
function sentence({ date, sharp, interval, coverage: covered }: CertificateStatement): SafeHtml {
  if (!interval) return html`<p class="sentence">No page was captured.</p>`;
  const inferred = covered?.inferred ?? 0;
  const others =
    inferred > 0
      ? ` ${inferred} more ${inferred === 1 ? 'page was' : 'pages were'} not visited, and ${inferred === 1 ? 'is' : 'are'} taken for unchanged.`
      : '';
  if (!date.strict) {
    return sharp.revisited === 0
      ? html`<p class="sentence">${inferred > 0 ? `${sharp.pages} pages were` : 'Every page was'} visited once: the capture shows the site between ${momentText(interval.start)} and ${momentText(interval.end)}, at no one moment.${others}</p>`
      : html`<p class="sentence">No page is proven to have stayed the same across any moment of the capture.${others}</p>`;
  }
  const { time, proven, wholeSite } = date.strict;
  return html`<p class="sentence">At <b>${momentText(time)}</b> ${wholeSite ? html`<b>all ${proven} pages</b>` : html`<b>${proven} of ${sharp.pages} pages</b>`} of this capture were as they are archived: each was fetched before and again after that moment, and its content was the same both times.${others}</p>`;
}

const fact = (name: string, value: string, more: string): SafeHtml =>
  html`<div><dt>${name}</dt><dd><b>${value}</b><span>${more}</span></dd></div>`;

function fatesIn(pages: readonly CertifiedPage[]): Fate[] {
  const found = new Set(pages.map(fateOf));
  return (Object.keys(FATES) as Fate[]).filter((fate) => found.has(fate));
}

const calibrationList = ([first = '', ...more]: readonly string[]): SafeHtml =>
  html`<p>${first}</p>${more.length > 0 ? html`<ul>${more.map((line) => html`<li>${line.trim()}</li>`)}</ul>` : ''}`;

type Inferred = NonNullable<QualityReport['coverage']['inferred']>;

/** Which directories were taken for unchanged, and why; then how such skips turned out so far. */
function inferredTable(
  { listed, visitedAfterAll }: Inferred,
  calibration: QualityReport['calibration'],
): SafeHtml {
  const kept = listed.filter(({ state }) => state === 'inferred');
  const rows = kept
    .slice(0, LISTED)
    .map(
      ({ directory, pages, reason, rule, confidence, lastSeen }) =>
        html`<tr><td class="n">${pages}</td><td class="url">${directory}</td><td>${reason}: ${rule}</td><td class="n">${percentText(confidence)}</td><td class="t">${isoOf(lastSeen).slice(0, 10)}</td></tr>`,
    );
  return html`<h3>Inferred: directories that were not visited</h3>
<table><thead><tr><th class="n">pages</th><th>directly in</th><th>taken for unchanged because</th><th class="n">sure</th><th>last seen</th></tr></thead><tbody>${rows}</tbody></table>
${kept.length > LISTED ? html`<p>The first ${LISTED} of ${kept.length}.</p>` : ''}
${visitedAfterAll > 0 ? html`<p>${visitedAfterAll} more pages were to be left out by a rule, and were visited since the directories it names did not change.</p>` : ''}
${calibration ? calibrationList(calibrationLines(calibration)) : ''}`;
}

function coverage(report: QualityReport): SafeHtml {
  const { coverage: c, errors, storage, completeness, calibration } = report;
  const rows = <K extends string>(counts: Readonly<Partial<Record<K, number>>>, means: (key: K) => string) =>
    (Object.entries(counts) as [K, number][])
      .sort(([, a], [, b]) => b - a)
      .map(([key, count]) => html`<tr><td class="n">${count}</td><td>${key}</td><td>${means(key)}</td></tr>`);
  const losses = [
    ...rows(errors.failures, (kind: FaultKind) => FAULTS[kind].means),
    ...rows(c.impaired ?? {}, (kind: FaultKind) => `captured, but: ${FAULTS[kind].means}`),
    ...rows(c.skips, (reason: SkipReason) => SKIPS[reason]),
  ];
  return html`<section><h2>Coverage, errors, storage</h2><dl class="facts">
${fact('Pages archived', String(c.captured + c.unchanged), `${c.share === null ? '' : `${percentText(c.share)} of those tried; `}${c.new} new, ${c.changed} changed, ${c.unchanged} unchanged`)}
${fact('Other pages', String(c.redirects + c.gone + c.failed + c.pending), `${c.redirects} redirects, ${c.gone} gone, ${c.failed} failed, ${c.pending} left`)}
${c.inferred && c.inferred.pages > 0 ? fact('Inferred', String(c.inferred.pages), `not visited, taken for unchanged; about ${numberText(c.inferred.expectedMissed)} of them changed all the same. ${c.proven} pages are proven by a visit`) : ''}
${fact(c.inferred ? 'Skipped' : 'Not fetched', String(c.skipped), c.inferred ? 'URLs left out by other rules, with the reasons below' : 'skipped, with the reasons below')}
${completeness ? fact('Versions', percentText(completeness.estimate), `${completeness.archived} archived of about ${numberText(completeness.believed)}, if pages change as often as believed`) : ''}
${completenessWords(report.weightedCompleteness).map(({ name, value, means }) => fact(`${name === 'freshness' ? 'Freshness' : `Completeness, ${name}`}`, value, means))}
${fact('Storage', bytesText(storage.bytes), `the records of ${storage.captures} captures of the site, without what was derived from them; ${storage.revisits} without payload${storage.saved > 0 ? `, which saved ${bytesText(storage.saved)}` : ''}`)}
</dl>${losses.length > 0 ? html`<table><thead><tr><th class="n">URLs</th><th>reason</th><th>means</th></tr></thead><tbody>${losses}</tbody></table>` : ''}
${c.inferred ? inferredTable(c.inferred, calibration) : ''}
${errors.urls.length > 0 ? html`<details><summary>The first ${errors.urls.length} failures</summary><ul>${errors.urls.map(({ url, kind, detail }) => html`<li>${kind}: ${detail || url}</li>`)}</ul></details>` : ''}</section>`;
}

function proof(
  { statement, publicKey, signature, recordId, file, at, isWhole }: NonNullable<QualityReport['certificate']>,
  fingerprint: string | undefined,
): SafeHtml {
  const { crawl, clock, software } = statement;
  const row = (name: string, value: string): SafeHtml => html`<tr><th>${name}</th><td>${value}</td></tr>`;
  return html`<section><h2>Certificate</h2><table class="proof"><tbody>
${row('Crawl', `${crawl.key}, ${momentText(crawl.startedAt)} to ${momentText(crawl.finishedAt)}`)}
${row('Seeds', crawl.seeds.join(', '))}
${row('Order, revisits', `${crawl.order}, ${crawl.revisit}`)}
${row('Clock', clock)}
${row('Written by', software)}
${row('Record', `${recordId} of ${momentText(isoOf(at))} in ${file}`)}
${fingerprint === undefined ? '' : row('Key fingerprint', `SHA-256 ${fingerprint}`)}
${row('Public key', `Ed25519 ${publicKey}`)}
${row('Signature', signature)}
</tbody></table>
${isWhole ? '' : html`<p>The certificate is of a crawl of several sites, and its signature covers all of them. The figures above are computed from its pages of this site alone.</p>`}
<p>Whoever has the archive, or its WACZ, and the public key from a source they trust can check all of this offline: <code>daguerre verify --public-key key.pem</code> computes every number again from the records.</p></section>`;
}

/** Whether pages that must agree do, group by group. */
function groupTable(statement: CertificateStatement): SafeHtml {
  const { groups = [] } = statement;
  if (groups.length === 0) return html``;
  const together = groups.filter(({ visible }) => visible?.wholeGroup).length;
  const rows = groupLines(statement, LISTED).map(
    ({ what, url, verdict }) => html`<tr><td>${what}</td><td class="url">${url}</td><td>${verdict}</td></tr>`,
  );
  return html`<section><h2>Pages that must agree</h2><p>${together} of ${groups.length} groups are sharp together: an index page and the articles whose headlines it shows, the parts of a list, pages that show the same numbers.</p>
<table><thead><tr><th>group</th><th>first page</th><th>proven</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function pageTable({ pages }: CertificateStatement): SafeHtml {
  const rows = pages.slice(0, LISTED).map((page, i) => {
    const { visit, revisit, url } = page;
    const { words, colour } = FATES[fateOf(page)];
    return html`<tr><td class="n">${i + 1}</td><td class="url">${url}</td><td class="t">${timeOnly(visit.time)}<br><code>${visit.sha256.slice(0, 12)}</code></td><td class="t">${revisit ? html`${timeOnly(revisit.time)}<br><code>${revisit.sha256.slice(0, 12)}</code>` : '–'}</td><td><i class="dot" style="background:${colour}"></i>${words}</td></tr>`;
  });
  return html`<section><h2>Pages</h2>${pages.length > LISTED ? html`<p>The first ${LISTED} of ${pages.length}; the certificate lists all.</p>` : ''}
<table class="pages"><thead><tr><th class="n"></th><th>URL</th><th>visit, SHA-256</th><th>revisit, SHA-256</th><th>found</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

/** Month and day stand above; a capture of several days needs them in each row. */
const timeOnly = (iso: string): string => `${iso.slice(5, 10)} ${iso.slice(11, 23)}`;
