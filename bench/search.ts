/**
 * Search over 100,000 versions of 2,000 pages: size of the index relative to the text of all versions, and query times;
 * for comparison, SQLite's FTS5 alone, given the whole text of every version, on a fifth of the versions.
 *
 *   npx tsx bench/search.ts [versions of a page, 50]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteSearch } from '../src/catalog/search/sqlite-search.ts';
import type { Passage } from '../src/model/passage.ts';
import type { PassageQuery } from '../src/ports/search-index.ts';
import { seededNumbers } from '../src/science/quality/draws.ts';
import { followPassages } from '../src/science/search/follow-passages.ts';
import { tokensOf, unstemmed } from '../src/science/search/tokens.ts';

const PAGES = 2_000;
const VERSIONS = Number(process.argv[2] ?? 50);
const PASSAGES = 40;
const WORDS = 14;
/** Passages that each version replaces. */
const NEWS = 3;
const VOCABULARY = 30_000;

const random = seededNumbers(7);
const letters = 'etaoinshrdlucmfwyp';
const vocabulary = Array.from({ length: VOCABULARY }, (_, i) => {
  let word = '';
  for (let rest = i + 18; rest > 0; rest = Math.floor(rest / 18)) word += letters[rest % 18];
  return word;
});
/** Roughly Zipf's law: a few words are everywhere. */
const word = (): string => vocabulary[Math.floor(VOCABULARY ** random()) - 1] ?? 'e';
const passage = (): Passage => {
  const isHeadline = random() < 0.2;
  return {
    text: Array.from({ length: WORDS }, word).join(' '),
    kind: isHeadline ? 'headline' : 'body',
    weight: isHeadline ? 0.9 : 0.6,
  };
};

const folder = mkdtempSync(join(tmpdir(), 'daguerre-bench-search-'));
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
try {
  const index = openSqliteSearch(join(folder, 'ours.sqlite'), { readonly: false });
  const alone = new Database(join(folder, 'alone.sqlite'));
  alone.exec('create virtual table versions using fts5 (text)');
  const insert = alone.prepare('insert into versions (text) values (?)');
  let [all, distinct, aloneText, ours, theirs, aloneVersions] = [0, 0, 0, 0, 0, 0];
  for (let page = 0; page < PAGES; page++) {
    let shown = Array.from({ length: PASSAGES }, passage);
    const versions = Array.from({ length: VERSIONS }, (_, at) => {
      if (at > 0) shown = [...Array.from({ length: NEWS }, passage), ...shown.slice(0, -NEWS)];
      all += shown.reduce((sum, { text }) => sum + text.length, 0);
      return { at, passages: shown };
    });
    let start = performance.now();
    const { added } = followPassages([], undefined, versions);
    await index.update({
      ...{
        url: `http://s${page % 50}.test/${page}`,
        site: `s${page % 50}.test`,
        before: undefined,
        gone: [],
      },
      ...{ until: VERSIONS, versions: VERSIONS, isAnew: true },
      added: added.map((span) => ({
        ...span,
        words: tokensOf(span.text, unstemmed).map((token) => token.word),
      })),
    });
    ours += performance.now() - start;
    distinct += added.reduce((sum, { text }) => sum + text.length, 0);
    if (page % 5 > 0) continue;
    start = performance.now();
    alone.transaction(() => {
      for (const { passages } of versions) {
        const text = passages.map((one) => one.text).join('\n');
        insert.run(text);
        aloneText += text.length;
        aloneVersions++;
      }
    })();
    theirs += performance.now() - start;
  }
  const { bytes, passages } = await index.counts();
  const aloneBytes = statSync(join(folder, 'alone.sqlite')).size;
  console.log(
    `${PAGES * VERSIONS} versions, ${megabytes(all)} of text, ${passages} passages (${megabytes(distinct)})`,
  );
  console.log(
    `ours        ${megabytes(bytes)}, ${(bytes / all).toFixed(3)} of the text of all versions, made in ${(ours / 1000).toFixed(0)} s`,
  );
  console.log(
    `FTS5 alone  ${megabytes(aloneBytes)}, ${(aloneBytes / aloneText).toFixed(3)} of the text of its ${aloneVersions} versions, made in ${(theirs / 1000).toFixed(0)} s`,
  );
  const rare = (): string => vocabulary[5_000 + Math.floor(random() * 20_000)] ?? '';
  const questions: Record<string, () => Partial<PassageQuery>> = {
    'a rare word': () => ({ wanted: [[{ words: [rare()] }]] }),
    'two words': () => ({ wanted: [[{ words: [word()] }], [{ words: [word()] }]] }),
    'the most common word': () => ({ wanted: [[{ words: [vocabulary[0] ?? ''] }]] }),
    'a phrase': () => ({ wanted: [[{ words: [vocabulary[1] ?? '', word()] }]] }),
    'a beginning, on a site': () => ({
      wanted: [[{ words: [rare().slice(0, 3)], isPrefix: true }]],
      site: 's7.test',
    }),
    'what went': () => ({ wanted: [[{ words: [word()] }]], event: 'vanished', from: 10, to: 20 }),
  };
  for (const [name, question] of Object.entries(questions)) {
    const times: number[] = [];
    for (let i = 0; i < 60; i++) {
      const start = performance.now();
      await index.find({ unwanted: [], event: 'present', limit: 20, offset: 0, wanted: [], ...question() });
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(24)} p50 ${(times[30] as number).toFixed(1)} ms, p95 ${(times[56] as number).toFixed(1)} ms`,
    );
  }
  await index.close();
  alone.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
