import { describe, expect, it } from 'vitest';
import type { ReaderLine } from '../science/delta/reader-words.ts';
import { type DiffText, diffText } from './diff-text.ts';

const line = (text: string, more: Partial<ReaderLine> = {}): ReaderLine => ({
  ...{ kind: 'new', place: 'lead story', text, picture: false, advertisement: false, rank: 1 },
  ...more,
});

function compared(lines: readonly ReaderLine[], more: Partial<DiffText> = {}): DiffText {
  const side = (version: string) => ({ url: 'https://page.invalid/', version });
  return {
    told: { lines, figures: [], reshaped: 0, moved: [] },
    title: '',
    from: side('old.html'),
    to: side('new.html'),
    importance: 0.1,
    ...more,
  };
}

describe('a comparison in the terminal', () => {
  it('files => their names, and no address that nobody gave', () => {
    const text = diffText(compared([line('Sun')]), false);
    expect(text).toContain('old.html → new.html');
    expect(text).not.toContain('page.invalid');
  });

  it('advertisements => counted, and listed with --all', () => {
    const lines = [
      ...Array.from({ length: 20 }, (_, i) => line(`Offer ${i}`, { advertisement: true })),
      line('Sun'),
    ];
    expect(diffText(compared(lines), false)).toContain('“Sun”');
    expect(diffText(compared(lines), false)).not.toContain('  new        “Offer');
    expect(diffText(compared(lines), false)).toContain('20 changes in advertisements: --all shows them');
    expect(diffText(compared(lines), true)).toContain('“Offer 19” (advertisement)');
  });

  it('an error page => before all else', () => {
    const instead = 'The page answers 503, and an error page stands in its place';
    expect(diffText(compared([line('Sun')], { instead, why: 'the lead story was replaced' }), false)).toMatch(
      /^The page answers 503.*\nThe lead story was replaced\n/,
    );
  });

  it('what moved => with the place it came from', () => {
    const moved = line('Ferry', { kind: 'moved', from: 'footer' });
    expect(diffText(compared([moved]), false)).toContain('  moved here “Ferry” (from footer)');
  });
});
