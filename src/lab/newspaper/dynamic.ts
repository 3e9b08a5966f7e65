/** Answers that are not versions of a page: ads, members' area, search, the endless calendar, missing pages. */
import type { Millis } from '../../model/time.ts';
import { dayFrom, monthName } from './days.ts';
import { uniform } from './random.ts';
import { adBanner, adFrame, CAMPAIGNS } from './render/ads.ts';
import { plainPage } from './render/html.ts';
import { escapeHtml, fillHoles } from './render/parts.ts';
import { CONTENT_TYPES } from './render/render.ts';
import { AD_COPY } from './words.ts';
import type { Newspaper } from './world.ts';

export interface DynamicAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Question {
  readonly method: string;
  readonly url: URL;
  readonly cookie: string;
  readonly time: Millis;
  /** Counts requests: whatever changes with every request is drawn from it. */
  readonly serial: number;
  /** Fields of a POST. */
  readonly form: URLSearchParams;
}

export const html = (
  status: number,
  title: string,
  inner: string,
  headers: Readonly<Record<string, string>> = {},
): DynamicAnswer => ({
  status,
  type: CONTENT_TYPES.html,
  body: Buffer.from(
    fillHoles(
      [plainPage(title, inner)].flatMap((text) => text.split('\u0001')),
      () => '',
    ),
  ),
  headers: { 'cache-control': 'no-store', ...headers },
});

export const redirect = (
  status: number,
  location: string,
  headers: Readonly<Record<string, string>> = {},
): DynamicAnswer => ({
  status,
  headers: { location, ...headers },
});

export const missing = (): DynamicAnswer =>
  html(
    404,
    'Not found',
    '<p>This page is not, or not yet, in the paper.</p><p><a href="/">To the front page</a></p>',
  );
export const gone = (): DynamicAnswer =>
  html(410, 'Withdrawn', '<p>This article has been withdrawn.</p><p><a href="/">To the front page</a></p>');

function ad(world: Newspaper, { url, serial }: Question): DynamicAnswer {
  const banner = /^\/ads\/banner-(\d+)\.svg$/.exec(url.pathname);
  const target = /^\/ads\/(go|landing)\/(\d+)(?:\.html)?$/.exec(url.pathname);
  const frame = /^\/ads\/frame-(side|inline)\.html$/.exec(url.pathname);
  const campaign = Number(banner?.[1] ?? target?.[2] ?? url.searchParams.get('c') ?? 0);
  if (!(campaign >= 0 && campaign < CAMPAIGNS)) return missing();
  if (banner) {
    const headers = { 'cache-control': 'max-age=300' };
    return { status: 200, type: CONTENT_TYPES.svg, body: Buffer.from(adBanner(campaign)), headers };
  }
  if (frame) {
    const body = Buffer.from(adFrame(campaign, uniform(world.seed, 'ad draw', serial)));
    return { status: 200, type: CONTENT_TYPES.html, body, headers: { 'cache-control': 'no-store' } };
  }
  if (target?.[1] === 'go') return redirect(302, `/ads/landing/${campaign}.html`);
  const [name = '', line = ''] = AD_COPY[campaign] ?? [];
  return target ? html(200, name, `<p>${escapeHtml(line)}</p>`) : missing();
}

const SESSION = 'session=reader';

function members({ url, cookie }: Question): DynamicAnswer {
  if (!cookie.includes(SESSION)) return redirect(302, `/login?next=${encodeURIComponent(url.pathname)}`);
  return html(
    200,
    'Members',
    '<p>Welcome back, reader. Here are <a href="/crossword/">the crossword</a> and <a href="/magazine/">the magazine</a>.</p>',
  );
}

/** Anyone may be the reader: the form expects name and password `reader`. */
function login({ form, url }: Question): DynamicAnswer {
  if (form.get('user') !== 'reader' || form.get('password') !== 'reader') {
    return html(403, 'Log in', '<p>Name and password do not match.</p><p><a href="/login">Try again</a></p>');
  }
  const next = url.searchParams.get('next') ?? '/members/';
  return redirect(303, next.startsWith('/members/') ? next : '/members/', {
    'set-cookie': `${SESSION}; Path=/; HttpOnly`,
  });
}

function search(world: Newspaper, query: string, time: Millis): DynamicAnswer {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = world.newsroom
    .recent(time, 300)
    .map((article) => world.newsroom.state(article, time))
    .filter(({ headline }) => words.every((word) => headline.toLowerCase().includes(word)))
    .slice(0, 20);
  const list = hits
    .map(({ path, headline }) => `<li><a href="${path}">${escapeHtml(headline)}</a></li>`)
    .join('');
  return html(200, `Search: ${query}`, list ? `<ul>${list}</ul>` : '<p>Nothing found.</p>');
}

/** Every month has a next one, and every day its own URL. */
function calendar(month: string, day: string | null): DynamicAnswer {
  const [year = '', mm = ''] = month.split('-');
  if (dayFrom(year, mm, '01') === undefined) return missing();
  const shift = (by: number): string => {
    const date = new Date(Date.UTC(Number(year), Number(mm) - 1 + by, 1));
    return date.toISOString().slice(0, 7);
  };
  const days = Array.from(
    { length: 28 },
    (_, i) => `<a href="/calendar?month=${month}&amp;day=${i + 1}">${i + 1}</a>`,
  ).join(' ');
  const title = `${day === null ? '' : `${Number(day)} `}${monthName(mm)} ${year}`;
  return html(
    200,
    title,
    `<p><a href="/calendar?month=${shift(-1)}">earlier</a> <a href="/calendar?month=${shift(1)}">later</a></p><p>${days}</p>`,
  );
}

/** Undefined: not a dynamic path. */
export function answerDynamic(world: Newspaper, question: Question): DynamicAnswer | undefined {
  const { url, method, time } = question;
  if (url.pathname === '/login' && method === 'POST') return login(question);
  if (method !== 'GET' && method !== 'HEAD') {
    return { status: 405, headers: { allow: 'GET, HEAD' } };
  }
  if (url.pathname.startsWith('/ads/')) return ad(world, question);
  if (url.pathname.startsWith('/members/')) return members(question);
  const query = url.searchParams.get('q');
  if (url.pathname === '/search' && query) return search(world, query, time);
  if (url.pathname === '/calendar') {
    return world.traps === 'off'
      ? missing()
      : calendar(url.searchParams.get('month') ?? '', url.searchParams.get('day'));
  }
  return undefined;
}
