import type { CertificateStatement, CertifiedPage } from '../../model/certificate.ts';
import type { Truncation } from '../../model/exchange.ts';
import { isStrictlySharp, isVisiblySharp } from '../../science/sharpness/certificate.ts';
import { html, type SafeHtml } from '../safe-html.ts';
import { DAY, FATES, type Fate, momentText, numberText, spanText } from './times.ts';

/** Figures of the report, as SVG without script, fonts or anything from outside: they print as they are shown. */

const WIDTH = 860;
const LEFT = 56;
const RIGHT = 14;
const INNER = WIDTH - LEFT - RIGHT;

export function fateOf(page: CertifiedPage): Fate {
  if (!page.revisit) return page.visit.truncated ? 'cut' : 'single';
  if (isStrictlySharp(page)) return 'strict';
  if (isVisiblySharp(page)) return 'visible';
  const { outcome } = page.revisit;
  return outcome === 'same' ? 'changed' : outcome;
}

const CUTS: Readonly<Record<Truncation, string>> = {
  disconnect: 'the connection broke off',
  time: 'the answer took longer than was waited for',
  length: 'the answer was longer than is kept',
  unspecified: 'the record does not say why',
};

/** Pages that are not whole in the archive, and why; undefined when all are. */
export function cutWords(
  pages: readonly CertifiedPage[],
): { readonly pages: number; readonly words: string } | undefined {
  const reasons = new Map<Truncation, number>();
  for (const { visit, revisit } of pages) {
    const truncated = visit.truncated ?? revisit?.truncated;
    if (truncated) reasons.set(truncated, (reasons.get(truncated) ?? 0) + 1);
  }
  if (reasons.size === 0) return undefined;
  const cut = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  const why = [...reasons].map(
    ([reason, count]) => `${CUTS[reason]}${reasons.size > 1 ? ` (${count})` : ''}`,
  );
  return { pages: cut, words: `${why.join(', ')}; that they stayed the same is not proven` };
}

/** Most bars that can be told apart on paper; more pages are shown as means of neighbours. */
const BARS = 430;

/** Change rate of the pages in the order of their visits: a good order looks like the pipes of an organ. */
export function organPipes({ pages }: CertificateStatement): SafeHtml {
  const height = 190;
  const [top, bottom] = [14, height - 30];
  const perBar = Math.max(1, Math.ceil(pages.length / BARS));
  const bars: { rate: number; title: string }[] = [];
  for (let i = 0; i < pages.length; i += perBar) {
    const some = pages.slice(i, i + perBar);
    const rate = (some.reduce((sum, one) => sum + one.rate, 0) / some.length) * DAY;
    const title = some.length === 1 ? (some[0]?.url ?? '') : `visits ${i + 1} to ${i + some.length}`;
    bars.push({ rate, title });
  }
  const scale = rateScale(bars.map(({ rate }) => rate));
  const step = INNER / Math.max(1, bars.length);
  const width = Math.max(0.6, Math.min(24, step * 0.86));
  return svg(height, 'Change rate of each page against the slot of its visit', [
    ...scale.ticks.map((tick) => {
      const y = bottom - scale.height(tick) * (bottom - top);
      return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${fix(y)}" y2="${fix(y)}"/><text class="tick end" x="${LEFT - 6}" y="${fix(y + 4)}">${numberText(tick)}</text>`;
    }),
    ...bars.map(({ rate, title }, i) => {
      const size = Math.max(0.8, scale.height(rate) * (bottom - top));
      const x = LEFT + i * step + (step - width) / 2;
      return html`<rect class="pipe" x="${fix(x)}" y="${fix(bottom - size)}" width="${fix(width)}" height="${fix(size)}"><title>${title}: ${numberText(rate)} changes a day</title></rect>`;
    }),
    html`<line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}"/>`,
    html`<text class="tick" x="${LEFT}" y="${height - 12}">visit 1</text><text class="tick end" x="${WIDTH - RIGHT}" y="${height - 12}">visit ${pages.length}</text>`,
    html`<text class="label" x="${WIDTH / 2}" y="${height - 12}">order of visits${perBar > 1 ? ` (means of ${perBar} neighbours)` : ''}</text>`,
    html`<text class="label" transform="translate(12 ${(top + bottom) / 2}) rotate(-90)">changes a day${scale.isLog ? ', log' : ''}</text>`,
  ]);
}

/** Rates of one site often span powers of ten: a linear scale would then show its hottest page and nothing else. */
function rateScale(rates: readonly number[]) {
  const positive = rates.filter((rate) => rate > 0).sort((a, b) => a - b);
  const max = positive.at(-1) ?? 1;
  const median = positive[Math.floor(positive.length / 2)] ?? 1;
  if (max < 20 * median) {
    const step = niceStep(max / 3);
    const ticks = Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
    return { isLog: false, ticks, height: (rate: number) => rate / max };
  }
  const low = Math.max(positive[0] ?? 1, max / 1e6) / 2;
  const span = Math.log10(max / low);
  const ticks: number[] = [];
  for (let power = Math.ceil(Math.log10(low)); power <= Math.log10(max); power++) ticks.push(10 ** power);
  return {
    isLog: true,
    ticks,
    height: (rate: number) => (rate <= low ? 0 : Math.log10(rate / low) / span),
  };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/** Most intervals that are drawn; of more pages, every k-th is. */
const ROWS = 600;

/** From visit to revisit, page by page, with the moment that the most of them share. */
export function intervals({ pages, interval, date }: CertificateStatement): SafeHtml {
  const every = Math.max(1, Math.ceil(pages.length / ROWS));
  const shown = pages.filter((_, i) => i % every === 0);
  const row = Math.min(14, Math.max(1, 460 / Math.max(1, shown.length)));
  const top = 26;
  const bottom = top + row * shown.length + 4;
  const height = bottom + 34;
  const start = interval ? Date.parse(interval.start) : 0;
  const length = interval ? Math.max(1, Date.parse(interval.end) - start) : 1;
  const x = (iso: string): number => LEFT + ((Date.parse(iso) - start) / length) * INNER;
  const best = date.strict ?? date.visible;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return svg(height, 'Interval from visit to revisit of each page, and t*', [
    ...ticks.map((share) => {
      const at = LEFT + share * INNER;
      const anchor = share === 0 ? '' : share === 1 ? ' end' : ' mid';
      return html`<line class="grid" x1="${fix(at)}" x2="${fix(at)}" y1="${top}" y2="${bottom}"/><text class="tick${anchor}" x="${fix(at)}" y="${bottom + 14}">${share === 0 ? 'start' : `+${spanText(share * length)}`}</text>`;
    }),
    best
      ? html`<rect class="range" x="${fix(x(best.from))}" y="${top}" width="${fix(Math.max(1, x(best.to) - x(best.from)))}" height="${fix(bottom - top)}"/>`
      : html``,
    ...shown.map((page, i) => {
      const y = top + (i + 0.5) * row;
      const fate = fateOf(page);
      const { colour, words } = FATES[fate];
      const from = x(page.visit.time);
      const to = page.revisit ? x(page.revisit.time) : from;
      const thick = row >= 5 ? Math.min(5, row * 0.55) : row;
      const dots =
        row >= 5
          ? html`<circle cx="${fix(from)}" cy="${fix(y)}" r="${fix(thick * 0.75)}" fill="${colour}"/>`
          : html``;
      const end =
        page.revisit && row >= 5
          ? html`<circle cx="${fix(to)}" cy="${fix(y)}" r="${fix(thick * 0.75)}" fill="${colour}"/>`
          : html``;
      return html`<g><title>${page.url}: ${words}</title><line x1="${fix(from)}" x2="${fix(Math.max(to, from + 0.8))}" y1="${fix(y)}" y2="${fix(y)}" stroke="${colour}" stroke-width="${thick.toFixed(2)}"/>${dots}${end}</g>`;
    }),
    best
      ? html`<line class="star" x1="${fix(x(best.time))}" x2="${fix(x(best.time))}" y1="${top - 8}" y2="${bottom}"/><text class="star-label" x="${fix(x(best.time))}" y="${top - 12}">t* ${momentText(best.time)}</text>`
      : html``,
    html`<text class="label" x="${WIDTH / 2}" y="${height - 4}">time since the first request${every > 1 ? ` (one page in ${every} is drawn)` : ''}</text>`,
    html`<text class="label" transform="translate(12 ${fix((top + bottom) / 2)}) rotate(-90)">pages, by visit</text>`,
  ]);
}

/** Two bars: this capture, and the same requests in breadth-first order. */
export function blurBars({ blur, crawl }: CertificateStatement): SafeHtml {
  const rows = [
    { name: `this capture (${crawl.order})`, value: blur.expected, style: 'pipe' },
    ...(blur.exact === undefined
      ? []
      : [{ name: 'exact, as became known', value: blur.exact, style: 'pipe' }]),
    { name: 'breadth-first', value: blur.breadthFirst, style: 'other' },
  ];
  const max = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE);
  const names = 190;
  const room = WIDTH - names - 90;
  return svg(rows.length * 30 + 8, 'Expected blur beside that of breadth-first order', [
    ...rows.map(({ name, value, style }, i) => {
      const y = 4 + i * 30;
      const width = Math.max(1, (value / max) * room);
      return html`<text class="tick end name" x="${names - 8}" y="${y + 17}">${name}</text><rect class="${style}" x="${names}" y="${y + 2}" width="${fix(width)}" height="22"/><text class="tick name" x="${fix(names + width + 6)}" y="${y + 17}">${numberText(value)}</text>`;
    }),
  ]);
}

function svg(height: number, title: string, parts: readonly SafeHtml[]): SafeHtml {
  return html`<svg viewBox="0 0 ${WIDTH} ${fix(height)}" role="img" aria-label="${title}">${parts}</svg>`;
}

/** A tenth of a pixel is enough. */
const fix = (value: number): string => String(Math.round(value * 10) / 10);
