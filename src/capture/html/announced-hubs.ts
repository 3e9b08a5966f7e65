/**
 * Hubs that a document announces, which notify subscribers of changes (WebSub, W3C Recommendation 2018, §4): `rel="hub"` and
 * `rel="self"` in the `Link` fields of the answer, else in `link` elements of HTML, Atom and RSS.
 */
import { Parser } from 'htmlparser2';
import type { HeaderList } from '../../model/exchange.ts';
import type { AnnouncedHubs } from '../../ports/page-reader.ts';

/** Hubs considered per document. */
const MOST_HUBS = 3;
/** Characters: announcements come near the beginning. */
const READ = 100_000;

export function announcedHubs(headers: HeaderList, text: string, url: string): AnnouncedHubs {
  const told = [...headerLinks(headers)];
  const links = told.some(({ rel }) => rel.has('hub'))
    ? told
    : [...told, ...elementLinks(text.slice(0, READ))];
  const named = (name: string): string[] => [
    ...new Set(links.flatMap(({ rel, href }) => (rel.has(name) ? (resolved(href, url) ?? []) : []))),
  ];
  const [topic = url] = named('self');
  return { hubs: named('hub').slice(0, MOST_HUBS), topic };
}

interface RelatedLink {
  readonly rel: ReadonlySet<string>;
  readonly href: string;
}

const relations = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(/\s+/));

/** `Link: <https://hub.example/>; rel="hub", <…>; rel=self` (RFC 8288). */
function* headerLinks(headers: HeaderList): Iterable<RelatedLink> {
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'link') continue;
    for (const [, href = '', parameters = ''] of value.matchAll(
      /<([^>]*)>((?:\s*;\s*[^,;"]+(?:"[^"]*")?)*)/g,
    )) {
      const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
      const rel = quoted ?? plain;
      if (rel !== undefined) yield { rel: relations(rel), href };
    }
  }
}

function elementLinks(text: string): RelatedLink[] {
  const links: RelatedLink[] = [];
  const parser = new Parser(
    {
      onopentag(name, { rel, href }) {
        if (/^(?:[a-z0-9]+:)?link$/i.test(name) && rel !== undefined && href !== undefined)
          links.push({ rel: relations(rel), href });
      },
    },
    { decodeEntities: true },
  );
  parser.end(text);
  return links;
}

function resolved(href: string, base: string): string | undefined {
  if (!URL.canParse(href.trim(), base)) return undefined;
  const { href: url, protocol } = new URL(href.trim(), base);
  return protocol === 'http:' || protocol === 'https:' ? url : undefined;
}
