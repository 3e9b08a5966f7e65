import { expect, test } from 'vitest';
import { announcedHubs } from './announced-hubs.ts';

const URL_OF = 'https://example.org/feed.xml';
const HUB = 'https://hub.example/';

test.each([
  ['a Link field', [['Link', `<${HUB}>; rel="hub", </feed>; rel=self`]], ''],
  [
    'two Link fields',
    [
      ['link', `<${HUB}>; type="a,b"; rel="alternate hub"`],
      ['LINK', '</feed>;rel="self"'],
    ],
    '',
  ],
  [
    'Atom',
    [],
    `<?xml version="1.0"?><feed><link rel="hub" href="${HUB}"/><link rel="self" href="/feed"/></feed>`,
  ],
  [
    'RSS',
    [],
    `<rss><channel><atom:link rel="hub" href="${HUB}"/><atom:link rel="self" href="/feed"/></channel>`,
  ],
  ['HTML', [], `<html><head><LINK REL="hub" HREF="${HUB}"><link rel=self href=/feed>`],
] as const)('%s => the hub and the topic', (_, headers, text) =>
  expect(announcedHubs(headers, text, URL_OF)).toEqual({ hubs: [HUB], topic: 'https://example.org/feed' }),
);

test.each([
  ['nothing', [], '<p>x'],
  ['no address of the web', [['Link', '<mailto:a@b>; rel=hub']], ''],
  ['garbage', [['Link', '<<;;rel=hub']], '<link rel=hub href="http://["><link'],
] as const)('%s => no hub, the topic is the address itself', (_, headers, text) =>
  expect(announcedHubs(headers, text, URL_OF)).toEqual({ hubs: [], topic: URL_OF }),
);
