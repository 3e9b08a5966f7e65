import { describe, expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import { EDIT_NAMES, type EditName, editPage } from './page-edits.ts';
import { readableLines } from './readable-lines.ts';

const story = (n: number): string =>
  `<div data-block-type="Article"><h2>Story number ${n} of the day</h2><img src="${n}.png" alt="Picture ${n}">
  <p>The council met for ${n + 10} hours. It found nothing new to say about the harbour.</p></div>`;
const PAGE = `<!DOCTYPE html><html><head><title>t</title></head><body>
  <div data-block-type="Header">The Paper</div>
  <div data-block-type="Menu"><a href="a">Politics</a> <a href="b">Culture</a></div>
  <div id="main">${[1, 2, 3, 4].map(story).join('\n')}</div>
  <div data-block-type="LinkList"><ul><li><a href="l1">A link to something else</a></li><li><a href="l2">Another link to it</a></li></ul></div>
  <div data-block-type="Footer">Copyright 2013 The Paper</div></body></html>`;

function changedLines(name: EditName, seed = 7): string[] {
  const pair = editPage(PAGE, [name], seed);
  if (!pair) throw new Error(`no place for ${name}`);
  const { told } = lineDiff(readableLines(pair.old), readableLines(pair.now));
  return told.map(({ mark, text }) => `${mark} ${text}`);
}

describe('known edits', () => {
  test.each(EDIT_NAMES)(
    '%s: changes the page, tells what it did, and the same seed does the same',
    (name) => {
      const pair = editPage(PAGE, [name], 3);
      expect(pair).toBeDefined();
      expect(pair?.now).not.toBe(pair?.old);
      expect(pair?.told.length).toBeGreaterThan(0);
      expect(editPage(PAGE, [name], 3)).toEqual(pair);
    },
  );

  test('the clock stands on both sides and only its time differs', () => {
    const [line, ...others] = changedLines('clock');
    expect(others).toEqual([]);
    expect(line).toMatch(/^\* \w+day, \d\d:\d\d ⇒ \w+day, \d\d:\d\d$/u);
  });

  test('the footer: the year is the next one', () => {
    expect(changedLines('footer')).toEqual(['* Copyright 2013 The Paper ⇒ Copyright 2014 The Paper']);
  });

  test('two stories change places: nothing is new, nothing is gone', () => {
    const lines = changedLines('order');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every((line) => line.startsWith('~'))).toBe(true);
  });

  test('a story added: lines come, none goes', () => {
    const lines = changedLines('story-added');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.startsWith('+'))).toBe(true);
  });

  test('several at once: what counts nothing is made first, and is part of the old page', () => {
    const pair = editPage(PAGE, ['lead-replaced', 'advertisement'], 5);
    expect(pair?.told[0]).toBe('an advertisement swapped');
    expect(pair?.old).toContain('Advertisement');
  });

  test('a page without a place for the edit => undefined', () => {
    expect(editPage('<html><body><p>Hello</p></body></html>', ['menu-entry'], 1)).toBeUndefined();
  });
});
