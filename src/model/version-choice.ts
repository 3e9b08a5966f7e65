/** How a version of a page is chosen for a moment: see docs/time-travel.md. */
export const VERSION_CHOICES = ['likely', 'before', 'after', 'closest', 'capture'] as const;
export type VersionChoice = (typeof VERSION_CHOICES)[number];

/** `capture`: replay stays inside one site capture, that of the crawl with this number. */
export type AskedChoice =
  | { readonly choice: Exclude<VersionChoice, 'capture'> }
  | { readonly choice: 'capture'; readonly crawl: number };

const CODES: Readonly<Record<string, Exclude<VersionChoice, 'capture'>>> = {
  b: 'before',
  a: 'after',
  c: 'closest',
};

/**
 * The view (see replay-host.ts) of a replay with this choice. Links and redirects of replayed pages stay on the hosts of their
 * view, so the choice carries over from page to page. Any other view means `likely`.
 */
export function viewOfChoice(view: string, asked: AskedChoice): string {
  if (asked.choice === 'likely') return view;
  const code =
    asked.choice === 'capture'
      ? `k${asked.crawl}`
      : Object.keys(CODES).find((name) => CODES[name] === asked.choice);
  return `zz${code}zz${view}`;
}

export function choiceOfView(view: string): AskedChoice {
  const [, code = '', crawl] = /^zz([abc]|k(\d{1,9}))zz/.exec(view) ?? [];
  if (crawl !== undefined) return { choice: 'capture', crawl: Number(crawl) };
  return { choice: CODES[code] ?? 'likely' };
}
