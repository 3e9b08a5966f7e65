import { atomText } from '../feeds/atom.ts';
import { formatTimestamp } from '../replay-url.ts';
import { html, type SafeHtml } from '../safe-html.ts';
import type { DigestedItem, PageDigest } from './page-digest.ts';

/** Stands in the page as it is: its hash is in the policy that the server sends. */
export const DIGEST_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
ul{list-style:none;margin:0;padding:0}li{padding:.35rem 0;border-bottom:1px solid #8884}
.lead{font-weight:600}.when,.was{display:block;font-size:.85rem;font-weight:400;opacity:.75}`;

const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Where a capture is replayed. */
export type ReplayAddressOf = (url: string, timestamp: string) => string;

export const replayAddressAt =
  (base: string): ReplayAddressOf =>
  (url, timestamp) =>
    `${base.replace(/\/+$/, '')}/#/replay?${new URLSearchParams({ url, at: timestamp })}`;

const address = ({ archived, address: live }: DigestedItem, replay: ReplayAddressOf): string =>
  archived ? replay(archived.url, archived.timestamp) : live;

/** One page of HTML that loads nothing. */
export function digestHtml(digest: PageDigest, replay: ReplayAddressOf): string {
  const { url, title, from, to, versions, unread, headlines, sections } = digest;
  const name = title || url;
  const note = unread > 0 ? `; ${unread} captures that nobody looked at are not in it` : '';
  const body = sections.map(
    (section) =>
      html`<section><h2>${section.name || 'More'}</h2><ul>${section.items.map((item) => itemHtml(item, replay))}</ul></section>`,
  );
  const none = headlines === 0 ? [html`<p>No headline came in this span.</p>`] : [];
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}: headlines</title><style>${STYLE}</style></head><body><header><h1><a href="${replay(url, formatTimestamp(to))}">${name}</a></h1>
<p>${headlines} headlines from ${minute(from)} to ${minute(to)}, out of ${versions} versions${note}.</p></header><main>${body}${none}</main></body></html>
`.markup;
}

const STYLE: SafeHtml = html([DIGEST_STYLE] as unknown as TemplateStringsArray);

function itemHtml(item: DigestedItem, replay: ReplayAddressOf): SafeHtml {
  const { headline, teaser, retitled, firstSeen, lastSeen, isThere, wasLead, archived } = item;
  const was = retitled.length > 0 ? [html`<span class="was">later: ${retitled.join(' / ')}</span>`] : [];
  const below = teaser === undefined ? [] : [html`<span class="was">${teaser}</span>`];
  const end = isThere ? 'still there at the end' : `until ${minute(lastSeen)}`;
  const live = archived ? '' : ', not archived: the link leads to the live web';
  return html`<li class="${wasLead ? 'lead' : 'item'}"><a href="${address(item, replay)}">${headline}</a>${below}${was}<span class="when">from ${minute(firstSeen)}, ${end}${live}</span></li>`;
}

/** As Atom: an entry for each headline, the newest first. */
export function digestAtom(digest: PageDigest, self: string, replay: ReplayAddressOf): string {
  const { url, title, to, sections } = digest;
  const entries = sections
    .flatMap(({ name, items }) =>
      items.map((item) => ({
        id: `${item.address}#${item.firstSeen}`,
        title: item.headline,
        at: item.firstSeen,
        isPublished: true as const,
        address: address(item, replay),
        about: item.address,
        categories: name ? [name] : [],
      })),
    )
    .sort((a, b) => b.at - a.at);
  return atomText({ self, title: `Headlines: ${title || url}`, emptyAt: to, entries });
}
