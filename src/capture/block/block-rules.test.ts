import { describe, expect, it } from 'vitest';
import type { BlockRule } from '../../model/block-rule.ts';
import type { PageRequest } from '../../ports/request-blocker.ts';
import { compileLists } from '../ads/compiled-lists.ts';
import { ListRecogniser } from '../ads/list-recogniser.ts';
import { blocksPage, compileBlockRules, typeByPath } from './block-rules.ts';
import { requestBlocker } from './request-blocker.ts';

const request = (url: string, more: Partial<PageRequest> = {}): PageRequest => ({
  url,
  type: 'image',
  pageUrl: 'https://example.org/',
  ...more,
});
const ruleFor = (rule: BlockRule, asked: PageRequest): string | undefined =>
  compileBlockRules([rule]).judge(asked)?.rule;

describe('a rule', () => {
  it('by URL => blocks what matches, and is told as it was written', () => {
    const rule: BlockRule = { type: 'block', url: '\\.gif$' };
    expect(ruleFor(rule, request('https://a/x.gif'))).toBe('\\.gif$');
    expect(ruleFor(rule, request('https://a/x.png'))).toBeUndefined();
  });
  it('by type => blocks that type alone', () => {
    const rule: BlockRule = { type: 'block', resourceTypes: ['media', 'font'] };
    expect(ruleFor(rule, request('https://a/f', { type: 'font' }))).toBe('everything of type media, font');
    expect(ruleFor(rule, request('https://a/f'))).toBeUndefined();
  });
  it('by frame => holds in frames whose URL matches, and in the page where it is asked from there', () => {
    const rule: BlockRule = { type: 'block', url: 'x', inFrameUrl: '^https://video\\.' };
    expect(ruleFor(rule, request('https://a/x', { frameUrl: 'https://video.example/1' }))).toBeDefined();
    expect(ruleFor(rule, request('https://a/x'))).toBeUndefined();
    expect(ruleFor(rule, request('https://a/x', { pageUrl: 'https://video.example/' }))).toBeDefined();
  });
  it('allowOnly => blocks all else, where it holds', () => {
    const rule: BlockRule = { type: 'allowOnly', url: 'player', inFrameUrl: 'embed' };
    expect(ruleFor(rule, request('https://a/player.js', { frameUrl: 'https://v/embed' }))).toBeUndefined();
    expect(ruleFor(rule, request('https://a/track.js', { frameUrl: 'https://v/embed' }))).toBe(
      'allow only player in frames embed',
    );
    expect(ruleFor(rule, request('https://a/track.js'))).toBeUndefined();
  });
});

it('the address of a page => blocked by a rule on URLs or documents, not by one on frames or pictures', () => {
  const page = 'https://example.org/';
  expect(blocksPage({ type: 'block', url: 'example' }, page)).toBe(true);
  expect(blocksPage({ type: 'block', url: 'example', resourceTypes: ['image'] }, page)).toBe(false);
  expect(blocksPage({ type: 'block', url: 'example', inFrameUrl: 'x' }, page)).toBe(false);
  expect(blocksPage({ type: 'allowOnly', url: 'other' }, page)).toBe(false);
  expect(blocksPage({ type: 'block', resourceTypes: ['document'] }, page)).toBe(false);
});

it('what a page embeds, not asked for yet => its type by the ending of its path', () => {
  const urls = ['https://a/x.css?v=1', 'https://a/x.JPG', 'https://a/v.mp4', 'https://a/x', 'no URL'];
  expect(urls.map(typeByPath)).toEqual(['stylesheet', 'image', 'media', 'other', 'other']);
});

it('filters of a list => advertisements, told by filter; own rules go first', () => {
  const { engine, names } = compileLists([
    { name: 'test', text: '||ads.example^\n/banner/*$image\n@@||ads.example/ok^' },
  ]);
  const lists = new ListRecogniser(engine, names);
  const blocker = requestBlocker([{ type: 'block', url: 'own' }], (asked) => lists.filterOf(asked));
  expect(blocker?.judge(request('https://ads.example/a.js', { type: 'script' }))).toEqual({
    reason: 'advertisement',
    rule: '||ads.example^',
  });
  expect(blocker?.judge(request('https://ads.example/own.js'))).toEqual({ reason: 'blocked', rule: 'own' });
  expect(blocker?.judge(request('https://ads.example/ok'))).toBeUndefined();
  expect(blocker?.judge(request('https://a/banner/1.js', { type: 'script' }))).toBeUndefined();
  expect(requestBlocker([])).toBeUndefined();
});
