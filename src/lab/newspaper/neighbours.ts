/**
 * The web around the newspaper, on loopback: a town hall and a sailing club that belong to it, a shop that only sells to it,
 * and a twin town that speaks French. They give a perimeter a border, and every address that the pages name answers on this
 * machine.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Millis } from '../../model/time.ts';
import { dayOf, httpTime, startOf } from './days.ts';

export const NEIGHBOUR_NAMES = ['town', 'club', 'shop', 'twin'] as const;
export type NeighbourName = (typeof NEIGHBOUR_NAMES)[number];
export type NeighbourOrigins = Readonly<Record<NeighbourName | 'paper', string>>;

export interface PaperNeighbours {
  readonly origins: NeighbourOrigins;
  close(): Promise<void>;
}

/** Appears on every page of the town hall, at all times. */
export const TOWN_PROMISE = 'The ferry to Lantern Hill is free of charge on Sundays.';
/** Appears on no page. */
export const TOWN_NEVER = 'The ferry is cancelled.';

interface Page {
  readonly lang: string;
  readonly title: string;
  /** Plain text and links, all written by us. */
  readonly body: readonly string[];
  /** Since when the page has been as it is. */
  readonly since: Millis;
}

type Pages = Readonly<Record<string, (time: Millis) => Page>>;

const link = (href: string, words: string): string => `<li><a href="${href}">${words}</a></li>`;
const list = (...links: readonly string[]): string => `<ul>${links.join('')}</ul>`;
const said = (text: string): string => `<p>${text}</p>`;

const AGENDA = [
  'the budget of the tide barrier',
  'the lights along the harbour wall',
  'a second ferry for the summer',
  'the merger of the two schools',
  'benches for the market square',
] as const;

/** In English, local, and linked with everything else. */
function townPages({ paper, club, shop, twin }: NeighbourOrigins): Pages {
  const page = (title: string, since: Millis, ...body: readonly string[]): Page => ({
    lang: 'en',
    title: `${title} · Town of Saltmarsh`,
    since,
    body: [`<h1>${title}</h1>`, ...body, said(TOWN_PROMISE)],
  });
  return {
    '/': () =>
      page(
        'Saltmarsh town hall',
        0,
        said(
          'Saltmarsh is a town of twelve thousand people between the harbour and the fen. The town hall is open on working days from eight to four, ' +
            'and its counter for passports and dogs until six on Thursdays. Whoever comes by ferry finds it behind the market.',
        ),
        list(
          link('/council.html', 'The council and what it decides next'),
          link('/ferry.html', 'When the harbour ferry leaves'),
          link(`${paper}/`, 'The Saltmarsh Courier, our newspaper'),
          link(`${club}/`, 'The sailing club of Saltmarsh harbour'),
          link(`${shop}/`, 'Boats, ropes and lanterns for the whole family'),
          link(`${twin}/`, 'La ville jumelée et ses habitants vous souhaitent la bienvenue'),
        ),
      ),
    '/council.html': (time) => {
      const day = dayOf(time);
      return page(
        'The council',
        startOf(day),
        said(
          'The council of Saltmarsh has twenty-one members, who meet in the hall above the harbour every evening but Sunday. Everybody may listen, ' +
            'and whoever lives in the town may speak for three minutes before a vote.',
        ),
        said(`Tonight it speaks about ${AGENDA[day % AGENDA.length]}.`),
        list(
          link('/', 'Town hall'),
          link(`${twin}/jumelage.html`, 'Le jumelage depuis trente ans entre nos deux villes'),
        ),
      );
    },
    '/ferry.html': () =>
      page(
        'The harbour ferry',
        0,
        said(
          'The ferry leaves Saltmarsh harbour every half hour from six in the morning until eleven at night, and crosses to Lantern Hill in twelve ' +
            'minutes. Bicycles travel on the lower deck. In a storm the captain decides, and the harbour office tells the newspaper.',
        ),
        list(link('/', 'Town hall')),
      ),
  };
}

function clubPages({ town, shop }: NeighbourOrigins): Pages {
  const page = (title: string, ...body: readonly string[]): Page => ({
    lang: 'en',
    title: `${title} · Saltmarsh Sailing Club`,
    since: 0,
    body: [`<h1>${title}</h1>`, ...body],
  });
  return {
    '/': () =>
      page(
        'Saltmarsh sailing club',
        said(
          'The club has kept boats in the harbour of Saltmarsh for ninety years. Children learn to sail on the marsh in spring, and the old hands ' +
            'repair what the winter broke. Newcomers are welcome on the jetty every Saturday morning.',
        ),
        list(
          link('/regatta.html', 'The spring regatta'),
          link(`${town}/ferry.html`, 'How to come by ferry'),
          link(`${shop}/offers.html`, 'Sails and ropes that are on offer this week'),
        ),
      ),
    '/regatta.html': () =>
      page(
        'The spring regatta',
        said(
          'Forty boats sail from the harbour around the tide barrier and back to Saltmarsh on the last Sunday of March. The town gives a silver lantern ' +
            'to whoever comes in first, and soup to all the others.',
        ),
        list(link('/', 'The club')),
      ),
  };
}

/** Also in English, but of no interest: it only sells. */
function shopPages({ twin }: NeighbourOrigins): Pages {
  const page = (title: string, ...body: readonly string[]): Page => ({
    lang: 'en',
    title: `${title} · Boats and More`,
    since: 0,
    body: [`<h1>${title}</h1>`, ...body],
  });
  return {
    '/': () =>
      page(
        'Boats and more',
        said(
          'Add to cart: rope, 20 m, €14.90. Lantern, €39.00, free shipping. Rain coat, €89.00 instead of €119.00. Buy now, pay later: our checkout takes all ' +
            'cards. Sale ends on Sunday; prices include VAT, and delivery is free from €50.00.',
        ),
        list(
          link('/offers.html', 'All offers'),
          link(`${twin}/boutique.html`, 'Notre boutique en ligne pour toute la famille'),
        ),
      ),
    '/offers.html': () =>
      page(
        'Offers of the week',
        said(
          'Sails from €249.00, add to cart. Ropes from €4.50, add to cart. Buy two, pay for one. Checkout, shipping, gift cards: €25.00, €50.00.',
        ),
      ),
  };
}

function twinPages({ town }: NeighbourOrigins): Pages {
  const page = (title: string, ...body: readonly string[]): Page => ({
    lang: 'fr',
    title: `${title} · Ville de Port-aux-Joncs`,
    since: 0,
    body: [`<h1>${title}</h1>`, ...body, list(link(`${town}/`, 'Saltmarsh'))],
  });
  const text =
    'La mairie est ouverte tous les jours de la semaine, et les habitants y trouvent les comptes rendus du conseil, les horaires de la bibliothèque et ' +
    'les photos de la fête du port. Depuis trente ans les écoles des deux villes échangent leurs élèves au printemps.';
  return {
    '/': () => page('Bienvenue à Port-aux-Joncs', said(text)),
    '/jumelage.html': () => page('Le jumelage', said(text)),
    '/boutique.html': () => page('La boutique du port', said(text)),
  };
}

const PAGES: Readonly<Record<NeighbourName, (origins: NeighbourOrigins) => Pages>> = {
  town: townPages,
  club: clubPages,
  shop: shopPages,
  twin: twinPages,
};

const STYLE =
  'body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.55 Georgia,serif;color:#222}h1{border-bottom:3px solid #3a6b7e}li{margin:.3rem 0}';

const htmlOf = ({ lang, title, body }: Page): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head><body>${body.join('\n')}</body></html>\n`;

/** `paper`: the origin of the newspaper, to which they link. */
export async function startNeighbours(paper: string, clock: () => Millis): Promise<PaperNeighbours> {
  const pages = new Map<NeighbourName, Pages>();
  const servers: Server[] = [];
  const origins: Record<NeighbourName | 'paper', string> = { paper, town: '', club: '', shop: '', twin: '' };
  for (const name of NEIGHBOUR_NAMES) {
    const server = createServer((request, response) => {
      const time = clock();
      response.sendDate = false;
      response.setHeader('date', httpTime(time));
      const page = pages.get(name)?.[request.url ?? '/']?.(time);
      if (!page) {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('not here\n');
        return;
      }
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'last-modified': httpTime(page.since),
      });
      response.end(htmlOf(page));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    servers.push(server);
    // Link texts describe their target only across hosts, so the twin town uses this machine's other name.
    const host = name === 'twin' ? 'localhost' : '127.0.0.1';
    origins[name] = `http://${host}:${(server.address() as AddressInfo).port}`;
  }
  // They link to each other: their pages are written once all have an address.
  for (const name of NEIGHBOUR_NAMES) pages.set(name, PAGES[name](origins));
  return {
    origins,
    close: async () => {
      for (const server of servers) {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      }
    },
  };
}
