import { describe, expect, test } from 'vitest';
import { stream } from '../newspaper/random.ts';
import { makeEdit, SINGLE_EDITS } from './page-edits.ts';
import { scoreEdit } from './score-edit.ts';
import type { VisibleElement } from './shown-elements.ts';
import { readSource, whole } from './source-html.ts';
import { expectedOperations } from './truth.ts';

const text = (words: string) => ({ id: words, text: words });

describe('readSource', () => {
  test('tags, texts and void elements => marked where they stand, nothing else written', () => {
    const source = readSource(
      '<body><p>One <b>two</b></p><!-- <i> --><img src=a.png><script>"<p>"</script></body>',
    );
    expect(whole(source)).toBe(
      '<body data-block="0"><p data-block="1">One <b data-block="2">two</b></p><!-- <i> --><img data-block="3" src=a.png><script>"<p>"</script></body>',
    );
  });
});

const PAGE = `<body>${[0, 1, 2]
  .map(
    (list) =>
      `<ul>${[0, 1, 2, 3].map((n) => `<li><a href="/s${list}${n}">Story number ${list}${n} of the day</a></li>`).join('')}</ul>`,
  )
  .join('')}</body>`;

/** As if each list were a leaf, three leaves apart. */
function editable(seed: string) {
  const source = readSource(PAGE);
  const shown = source.elements
    .filter(({ tag }) => tag === 'a')
    .map(({ mark, attributes, texts: [span] }, i): VisibleElement => {
      const name = PAGE.slice(span?.start, span?.end);
      const value = { id: `${name} ${attributes.href}`, name, address: attributes.href ?? '' };
      const leafIndex = 3 * Math.floor(i / 4);
      return { kind: 'link', value, leaf: `B1.${leafIndex}`, leafIndex, mark, key: `link ${mark} 0` };
    });
  return { source, shown, random: stream(seed) };
}

describe('makeEdit', () => {
  test('the same seed => the same edit; another => another', () => {
    for (const kind of ['word', 'story inserted', 'story moved'] as const) {
      const [a, b, c] = ['1', '1', '2'].map((seed) => makeEdit(kind, editable(seed))?.splices);
      expect(a).toEqual(b);
      expect(a).not.toEqual(c);
    }
  });

  test('a page of links in three blocks => all edits but those of texts and pictures, each changes the HTML', () => {
    for (const kind of SINGLE_EDITS) {
      const page = editable('3');
      const edit = makeEdit(kind, page);
      if (kind === 'text' || kind === 'picture source') expect(edit).toBeUndefined();
      else expect(whole(page.source, edit?.splices)).not.toBe(whole(page.source));
    }
  });

  test('a story moved => every tag is still there once', () => {
    const page = editable('5');
    const marks = (html: string) =>
      [...html.matchAll(/data-block="(\d+)"/g)].map((match) => Number(match[1])).sort((a, b) => a - b);
    expect(marks(whole(page.source, makeEdit('story moved', page)?.splices))).toEqual(
      marks(whole(page.source)),
    );
  });
});

test('expectedOperations: gone, come, changed a little, changed much, moved', () => {
  const at = (key: string, words: string, leaf: string): VisibleElement => ({
    kind: 'text',
    value: text(words),
    leaf,
    leafIndex: 0,
    mark: Number(key),
    key: `text ${key} 0`,
  });
  const expected = expectedOperations({
    olds: [
      at('1', 'gone for good', 'A'),
      at('2', 'a b c d', 'A'),
      at('3', 'x y', 'A'),
      at('4', 'wanders', 'A'),
      at('6', 'stays', 'B'),
    ],
    news: [
      at('2', 'a b c e', 'A'),
      at('3', 'p q', 'A'),
      at('5', 'quite new here', 'A'),
      at('4', 'wanders', 'B'),
      at('6', 'stays', 'B'),
    ],
    moved: new Set([4]),
  });
  expect(expected.map(({ op, old, new: now }) => [op, old?.id, now?.id])).toEqual([
    ['delete', 'gone for good', undefined],
    ['update', 'a b c d', 'a b c e'],
    ['delete', 'x y', undefined],
    ['insert', undefined, 'p q'],
    ['insert', undefined, 'quite new here'],
    ['move', 'wanders', 'wanders'],
  ]);
});

describe('scoreEdit', () => {
  const gone = { op: 'delete', kind: 'text', old: text('a') } as const;
  const came = { op: 'insert', kind: 'text', new: text('b') } as const;
  const update = { op: 'update', kind: 'text', old: text('a'), new: text('b') } as const;

  test('one of two told, and one that is not true => right 1, wrong 1, missed 1', () => {
    const { right, wrong, missed } = scoreEdit([gone, came], [gone, update]);
    expect([right, wrong, missed]).toEqual([1, [update], [came]]);
  });

  test('an update told as deleted and inserted => right only where nothing shows that they are one', () => {
    expect(scoreEdit([{ ...update, loose: true }], [gone, came])).toMatchObject({
      right: 1,
      found: 1,
      wrong: [],
    });
    expect(scoreEdit([update], [gone, came])).toMatchObject({ right: 0, found: 2 });
  });
});
