/** A run of words that both versions have, or only one of them. */
export interface WordRun {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** Most words compared: longer texts are shown whole, old above new. Time and memory grow with the product. */
const MOST_WORDS = 600;

/** Which words went and which came, in reading order: a longest common subsequence of words. */
export function wordChanges(old: string, now: string): readonly WordRun[] {
  const a = wordsOf(old);
  const b = wordsOf(now);
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) {
    return [
      { kind: 'old', text: old },
      { kind: 'new', text: now },
    ];
  }
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? 1 + (common[(i + 1) * width + j + 1] ?? 0)
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const runs: { kind: WordRun['kind']; words: string[] }[] = [];
  const add = (kind: WordRun['kind'], word: string | undefined): void => {
    const last = runs.at(-1);
    if (last?.kind === kind) last.words.push(word ?? '');
    else runs.push({ kind, words: [word ?? ''] });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i++]);
      j++;
    } else if (
      i < a.length &&
      (j >= b.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      add('old', a[i++]);
    } else add('new', b[j++]);
  }
  return runs.map(({ kind, words }) => ({ kind, text: words.join('') }));
}

/** Words with the space after them; for scripts without spaces, as segmented for the language. */
function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike || words.length === 0) words.push(segment);
    else words[words.length - 1] += segment;
  }
  return words;
}
