import { describe, expect, it } from 'vitest';
import type { Block, Layout } from '../../model/layout.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { innerId, leafId } from '../../science/layout/layout-of.ts';
import { changeView } from './change-view.ts';

const text = (words: string) => ({ id: `t:${words}`, text: words });
const link = (name: string, advertisement?: true) => ({
  id: `l:${name}`,
  name,
  address: `https://a.org/${name}`,
  ...(advertisement && { advertisement }),
});

function leaf(ref: string, y: number, content: Partial<Pick<Block, 'links' | 'texts'>>): Block {
  const all = { links: [], images: [], texts: [], ...content };
  const box = [0, y, 1000, 100] as const;
  return {
    ref,
    id: leafId(all.links, all.images, all.texts),
    box,
    doc: 8,
    importance: 0.5,
    ...all,
    blocks: [],
  };
}

function layout(version: string, blocks: readonly Block[]): Layout {
  const root: Block = {
    ...{ ref: 'B1', id: innerId(blocks), box: [0, 0, 1000, 1000], doc: 1, importance: 1 },
    ...{ links: [], images: [], texts: [], blocks },
  };
  const viewport = { width: 1000, height: 800 };
  return { url: 'https://a.org/', title: 'A <page>', version, viewport, segmenter: 'blocks/1', root };
}

function view(old: Layout, now: Layout): string {
  const delta = diffLayouts(old, now);
  return changeView({ old: { layout: old }, new: { layout: now }, delta, ...changeImportance(delta) });
}

describe('the change view', () => {
  const old = layout('1', [
    leaf('B1.1', 0, { texts: [text('Rain in the north of the country today')] }),
    leaf('B1.2', 200, { links: [link('One'), link('Spot', true)] }),
  ]);
  const now = layout('2', [
    leaf('B1.1', 0, { texts: [text('Sun in the north of the country today')] }),
    leaf('B1.2', 200, { links: [link('One'), link('<script>alert(1)</script>'), link('Other spot', true)] }),
  ]);

  it('words that changed => marked inside their text', () => {
    expect(view(old, now)).toContain('<del>Rain </del><ins>Sun </ins>in the north');
  });

  it('markup in a title or a link => text, never markup', () => {
    const page = view(old, now);
    expect(page).toContain('A &lt;page&gt;');
    expect(page).not.toContain('<script>alert');
  });

  it('changes in advertisements => folded away', () => {
    const [, folded = ''] = view(old, now).split('In advertisements');
    expect(folded).toContain('Other spot');
    expect(view(old, now).split('In advertisements')[0]).not.toContain('Other spot');
  });

  it('touched blocks => marked on both versions', () => {
    const page = view(old, now);
    for (const ref of ['old:B1.1', 'new:B1.1', 'new:B1.2']) expect(page).toContain(`data-block="${ref}"`);
  });

  it('equal versions => says that nothing changed', () => {
    expect(view(old, old)).toContain('Nothing that a reader would notice');
  });

  it('nothing is asked from outside', () => {
    expect(view(old, now)).not.toMatch(/(src|href)="(?!data:)/);
  });
});
