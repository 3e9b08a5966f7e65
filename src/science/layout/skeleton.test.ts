import { expect, it } from 'vitest';
import { parseHtmlTree } from '../../capture/html/html-tree.ts';
import { commonSkeleton, likeness, skeletonOf } from './skeleton.ts';

const page = (body: string, frame = 'frame'): ReadonlySet<string> =>
  skeletonOf(
    parseHtmlTree(
      `<!doctype html><head><title>x</title></head><body><div class="${frame}"><nav class="bar menu"><ul><li><a>1</a></ul></nav>` +
        `<main class="text">${body}</main><footer><p>end</p></footer></div></body>`,
    ),
  );

it('two articles of one template => all alike but for what one has more', () => {
  const [a, b] = [page('<p>one</p><p>two</p>'), page('<p>three</p><table><tr><td>4</table>')];
  expect(likeness(a, b)).toBeGreaterThan(0.7);
  expect(likeness(commonSkeleton([a, page('<p>five')]), commonSkeleton([b, page('<p>six')]))).toBe(1);
});

it('another frame around the same words => hardly alike', () =>
  expect(likeness(page('<p>one</p>'), page('<p>one</p>', 'other'))).toBeLessThan(0.4));

it('classes in another order, with numbers in them => the same way', () => {
  const of = (names: string) => [...skeletonOf(parseHtmlTree(`<div class="${names}">x</div>`))].at(-1);
  expect(of('b a id-77')).toBe(of('a b'));
});

it('pages of a few elements, or none => not told', () => {
  const small = skeletonOf(parseHtmlTree('<p>x'));
  expect(likeness(small, small)).toBe(0);
  expect(commonSkeleton([]).size).toBe(0);
});
