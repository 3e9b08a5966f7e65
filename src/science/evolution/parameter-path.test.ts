import { describe, expect, it } from 'vitest';
import { parameterAddresses } from './parameter-path.ts';

describe('parameterAddresses', () => {
  const urls = ['news', 'sport'].flatMap((section) =>
    [1, 2, 3].map((id) => `/show?id=${section}${id}&section=${section}`),
  );

  it('few values above many => /show/section=news/id=news1', () => {
    const address = parameterAddresses(urls);
    expect(address('/show?id=news1&section=news')).toBe('/show/section=news/id=news1');
  });

  it('another order of the parameters => the same page', () => {
    const address = parameterAddresses(urls);
    expect(address('/show?section=news&id=news1')).toBe(address('/show?id=news1&section=news'));
  });

  it('no query, a fragment, a slash in a value, a parameter without a value => kept, cut, escaped, kept', () => {
    const address = parameterAddresses(urls);
    expect(address('/a/b.html')).toBe('/a/b.html');
    expect(address('/?page=a/b#top')).toBe('/page=a%2Fb');
    expect(address('/x?print')).toBe('/x/print=');
    expect(address('/x?')).toBe('/x?');
  });
});
