/** Edits that count nothing for a reader: clocks, counters, relative dates, advertisements. */
import type { Random } from '../newspaper/random.ts';
import type { Prepare } from './page-edits.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function insertFirst(into: Element, html: string): Element {
  into.insertAdjacentHTML('afterbegin', html);
  return into.firstElementChild as Element;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Adds a line there, which the edit then changes. */
function ticked(into: Element, [was, now]: readonly [string, string], what: string): () => string[] {
  const line = insertFirst(into, `<div>${was}</div>`);
  return () => {
    line.textContent = now;
    return [what, `- ${was}`, `+ ${now}`];
  };
}

export const clockTicked: Prepare = (page, random) => {
  const day = random.pick(DAYS);
  const [hour, minute, later] = [random.int(24), random.int(40), 1 + random.int(19)];
  const at = (minutes: number): string => `${day}, ${two(hour)}:${two(minutes)}`;
  const header = page.querySelector('[data-block-type="Header"]') ?? page.body;
  return ticked(header, [at(minute), at(minute + later)], 'a clock in the header');
};

export const counterTicked: Prepare = (page, random) => {
  const visits = 1000 + random.int(900_000);
  const lines = [`Visitors: ${visits}`, `Visitors: ${visits + 1 + random.int(400)}`] as const;
  const footer = page.querySelector('[data-block-type="Footer"]') ?? page.body;
  return ticked(footer, lines, 'a counter of visitors');
};

export const relativeDateTicked: Prepare = (page, random) => {
  const blocks = [...page.querySelectorAll('[data-block-type="Article"], [data-block-type="Content"]')];
  const hours = 2 + random.int(20);
  const lines = blocks.map((block, i) => insertFirst(block, `<div>${hours + i} hours ago</div>`));
  return () => {
    if (lines.length === 0) return undefined;
    for (const [i, line] of lines.entries()) line.textContent = `${hours + i + 1} hours ago`;
    return [
      `relative dates of ${lines.length} main blocks, "${hours} hours ago" and so on: each an hour later`,
    ];
  };
};

const SLOGANS = [
  'Car insurance from 9.90 a month',
  'Fly to Lisbon this spring',
  'Your new mattress, 100 nights on trial',
  'Switch your energy provider now',
  'Half price on all running shoes',
  'Learn Spanish in three weeks',
];

/** A banner of 468 × 60, as text on a coloured background. */
function banner(slogan: string, random: Random): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="468" height="60"><rect width="468" height="60" fill="hsl(${random.int(360)},70%,70%)"/><text x="20" y="38" font-size="22">${slogan}</text></svg>`;
  return `<a href="https://adserver.example/click?id=${random.int(1e9)}"><img width="468" height="60" alt="${slogan}" src="data:image/svg+xml,${encodeURIComponent(svg)}"></a>`;
}

/** In a block that people marked as an advertisement, or else above the page, labelled. */
export const advertisementSwapped: Prepare = (page, random) => {
  const marked = [...page.querySelectorAll('[data-block-type="Ad"]')];
  const [was, now] = random.sample(SLOGANS, 2) as [string, string];
  const [first, second] = [banner(was, random), banner(now, random)];
  const block =
    marked.length > 0
      ? random.pick(marked)
      : insertFirst(page.body, '<div class="banner"><small>Advertisement</small><div></div></div>');
  const spot = marked.length > 0 ? block : (block.lastElementChild as Element);
  spot.innerHTML = first;
  return () => {
    spot.innerHTML = second;
    return ['an advertisement swapped', `- ${was}`, `+ ${now}`];
  };
};
