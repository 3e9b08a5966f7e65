/** Finds the marked blocks of a page and their texts, and writes other texts into them. */
import { headline, newStory, paragraph } from '../newspaper/prose.ts';
import type { Random } from '../newspaper/random.ts';
import { SECTION_IDS } from '../newspaper/sections.ts';

export const MAIN = ['Article', 'Content'];

/** Marked elements of these types that show some text; outermost, in order. */
export function blocksOf(page: Document, types: readonly string[], shortest = 40): Element[] {
  const all = [...page.querySelectorAll('[data-block-type]')].filter(
    (one) => types.includes(one.getAttribute('data-block-type') ?? '') && textOf(one).length >= shortest,
  );
  return all.filter((one) => !all.some((other) => other !== one && other.contains(one)));
}

export const textOf = (node: Element): string => (node.textContent ?? '').replace(/\s+/gu, ' ').trim();

export function textNodes(root: Element, shortest: number): Text[] {
  const found: Text[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeType === 3 && (node.textContent ?? '').trim().length >= shortest) found.push(node as Text);
    const isUnread = /^(script|style|noscript|select|template)$/iu.test(node.nodeName);
    if (!isUnread) waiting.push(...[...node.childNodes].reverse());
  }
  return found;
}

export const newHeadline = (random: Random): string =>
  headline(newStory(random.pick(SECTION_IDS), random), random, 0.3);

export function newText(length: number, random: Random): string {
  if (length < 60) {
    const words = newHeadline(random).split(' ');
    return words.filter((_, i) => i < 2 || words.slice(0, i + 1).join(' ').length <= length).join(' ');
  }
  let text = '';
  while (text.length < length) {
    const story = newStory(random.pick(SECTION_IDS), random);
    text += `${text ? ' ' : ''}${paragraph(story, random)}`;
  }
  return text.slice(0, length).replace(/\s\S*$/u, '.');
}

export function retell(block: Element, random: Random): void {
  for (const [i, node] of textNodes(block, 2).entries()) {
    node.textContent = ` ${i === 0 ? newHeadline(random) : newText((node.textContent ?? '').trim().length, random)} `;
  }
  for (const link of block.querySelectorAll('a[href]'))
    link.setAttribute('href', `story-${random.int(1e6)}.html`);
}

export const brief = (text: string, length = 160): string =>
  text.replace(/\s+/gu, ' ').trim().slice(0, length);

export function place(page: Document, block: Element): string {
  const before = page.body.innerHTML.indexOf(block.outerHTML.slice(0, 200));
  const share = before < 0 ? '?' : Math.round((100 * before) / page.body.innerHTML.length);
  return `${block.getAttribute('data-block-type') ?? block.localName} at ${share} %`;
}
