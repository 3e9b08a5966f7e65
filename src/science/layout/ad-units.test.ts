import { describe, expect, test } from 'vitest';
import { type Drawn, element, page } from '../../../test/drawn-page.ts';
import { adUnits } from './ad-units.ts';

const link = (href: string, ...children: (Drawn | string)[]): Drawn => element('a', { href }, ...children);
const story = (n: number): Drawn => element('article', {}, link(`https://news.test/${n}`, `Story ${n}`));

/** Addresses of the links in advertisement units. */
function found(...children: Drawn[]): string[] {
  const snapshot = page(element('body', {}, ...children));
  const units = adUnits(snapshot, {
    navigation: new Uint8Array(snapshot.nodes.length),
    foreign: (url) => url !== undefined && !url.startsWith('https://news.test/'),
  });
  return snapshot.nodes.flatMap((node, i) =>
    units[i] === 1 && node.kind === 'element' && node.tag === 'a' ? [node.attributes.href ?? ''] : [],
  );
}

describe('labels', () => {
  test.each([
    'Anzeige',
    'ANZEIGE:',
    '– Werbung –',
    'Sponsored',
    'Publicité',
    'Publicidad',
    'Advertentie',
    '広告',
  ])('%s above a link => an advertisement', (label) => {
    expect(
      found(element('div', {}, element('p', {}, label), link('https://x.test/', 'Buy')), story(1)),
    ).toEqual(['https://x.test/']);
  });

  test('in a teaser, after its picture and before its headline => the teaser', () => {
    const teaser = element(
      'article',
      {},
      link('https://x.test/', 'A course in three weeks'),
      element('h3', {}, element('span', {}, 'Verlagsangebot'), 'A course in three weeks'),
    );
    expect(found(element('section', {}, teaser, story(1), story(2)))).toEqual(['https://x.test/']);
  });

  test('at the head of a list of sponsored links => all of them', () => {
    const list = element(
      'aside',
      {},
      element('p', {}, 'Anzeige'),
      link('https://x.test/1', 'a'),
      link('https://x.test/2', 'b'),
    );
    expect(found(list, story(1))).toEqual(['https://x.test/1', 'https://x.test/2']);
  });

  test('over an empty slot => not the story after it', () => {
    const slot = (inner: Drawn): Drawn => element('div', {}, inner);
    expect(
      found(element('section', {}, story(1), element('div', {}, element('p', {}, 'Anzeige')), story(2))),
    ).toEqual([]);
    expect(
      found(element('div', {}, slot(slot(slot(slot(element('p', {}, 'Anzeige'))))), story(1), story(2))),
    ).toEqual([]);
  });

  test('as the name of a link, or within a sentence => nothing', () => {
    expect(found(element('p', {}, link('https://news.test/werben', 'Anzeigen')))).toEqual([]);
    expect(found(element('p', {}, 'Gericht verbietet Werbung', link('https://news.test/1', 'mehr')))).toEqual(
      [],
    );
  });

  test('at the head of a part with more than a few links => nothing: that is a section', () => {
    const many = Array.from({ length: 20 }, (_, i) => link(`https://news.test/${i}`, `Story ${i}`));
    expect(found(element('div', {}, element('p', {}, 'Promotion'), ...many))).toEqual([]);
  });
});

describe('names', () => {
  const box = (name: string, href: string): Drawn => element('div', { class: name }, link(href, 'Look'));

  test.each([
    ['stage-advertising', 'https://news.test/deal', true],
    ['img-ad', 'https://x.test/', true],
    ['img-ad', 'https://news.test/deal', false],
    ['adBox', 'https://x.test/', true],
    ['js-refresh-ads', 'https://x.test/', false],
    ['no-ads', 'https://x.test/', false],
    ['header shadow', 'https://x.test/', false],
    ['roadmap', 'https://x.test/', false],
  ])('class "%s" with a link to %s => %s', (name, href, expected) => {
    expect(found(box(name, href)).length > 0).toBe(expected);
  });

  test('a mark without content in a teaser => the teaser', () => {
    const teaser = element(
      'article',
      {},
      link('https://x.test/', 'Look'),
      element('span', { class: 'kicker--ad' }, 'Tip'),
    );
    expect(found(teaser, story(1))).toEqual(['https://x.test/']);
  });
});
