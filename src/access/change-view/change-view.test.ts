import { describe, expect, it } from 'vitest';
import { page as drawnPage, element } from '../../../test/drawn-page.ts';
import type { Operation } from '../../model/delta.ts';
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

  it('a page that commands the terminal => no control characters in the file', () => {
    const page = view(old, layout('2', [leaf('B1.1', 0, { texts: [text('Rain \u001b[2J\u0007\u009b')] })]));
    expect(page).toContain('Rain \ufffd[2J\ufffd\ufffd');
    expect(page).not.toMatch(/(?![\n\r\t])\p{Cc}/u);
  });

  it('a split of a block => one sentence, no row', () => {
    const delta = diffLayouts(old, now);
    const split = {
      ...{ op: 'update', element: 'block', structure: 'split', from: ['B1.2'], to: ['B1.2', 'B1.3'] },
    } as unknown as Operation;
    const page = changeView({
      ...{ old: { layout: old }, new: { layout: now }, importance: 0.1, shares: [] },
      delta: { ...delta, operations: [split] },
    });
    expect(page).toContain('One block is laid out otherwise, with what it held.');
    expect(page).not.toContain('one block became several');
  });

  it('an error page in place of the page => said first', () => {
    const delta = diffLayouts(old, now);
    const page = changeView({
      ...{ old: { layout: old }, new: { layout: now }, delta, ...changeImportance(delta) },
      instead: 'The page answers 503',
    });
    expect(page.indexOf('The page answers 503')).toBeLessThan(page.indexOf('class="key"'));
  });

  it('a stored snapshot => its pictures where they are given, and what is missing in words', () => {
    const picture = (alt: string) =>
      element('img', { src: `https://a.org/${alt}.png?a&b`, alt, box: [0, 0, 10, 10], display: 'block' });
    const snapshot = drawnPage(
      element('body', { box: [0, 0, 1000, 900] }, picture('dusk'), picture('dawn')),
      'https://a.org/',
    );
    const pictures = new Map([['https://a.org/dusk.png?a&b', 'data:image/png;base64,AAAA']]);
    const delta = diffLayouts(old, now);
    const made = changeView({
      ...{
        old: { layout: old },
        new: { layout: now, snapshot, pictures },
        delta,
        ...changeImportance(delta),
      },
    });
    expect(made).toContain('alt="dusk" src="data:image/png;base64,AAAA"');
    expect(made).toMatch(/alt="dawn">/);
    expect(made).toContain('Drawn from the stored snapshot');
    expect(made).toContain('Drawn from its blocks: neither a picture nor a snapshot');
  });

  it('nothing is asked from outside', () => {
    expect(view(old, now)).not.toMatch(/(src|href)="(?!data:)/);
  });
});
