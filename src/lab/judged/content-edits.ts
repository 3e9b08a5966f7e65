/**
 * Edits of a page's content. Each is made in the document and describes what it did; undefined if the page has no place
 * for it.
 */
import type { Random } from '../newspaper/random.ts';
import {
  blocksOf,
  brief,
  MAIN,
  newHeadline,
  newText,
  place,
  retell,
  textNodes,
  textOf,
} from './marked-blocks.ts';

export function leadReplaced(page: Document, random: Random): string[] | undefined {
  const lead = blocksOf(page, MAIN, 100)[0];
  if (!lead) return undefined;
  const was = brief(textOf(lead));
  retell(lead, random);
  return [`the first main block replaced (${place(page, lead)})`, `- ${was}`, `+ ${brief(textOf(lead))}`];
}

export function storyAdded(page: Document, random: Random): string[] | undefined {
  const blocks = blocksOf(page, ['Article']).filter((one) => textOf(one).length < 2500);
  if (blocks.length === 0) return undefined;
  const model = random.pick(blocks);
  const story = model.cloneNode(true) as Element;
  retell(story, random);
  model.parentNode?.insertBefore(story, random.chance(0.5) ? model : model.nextSibling);
  return [
    `a story added (${place(page, story)}; ${textOf(story).length} letters)`,
    `+ ${brief(textOf(story))}`,
  ];
}

export function storyRemoved(page: Document, random: Random): string[] | undefined {
  const blocks = blocksOf(page, MAIN);
  if (blocks.length < 2) return undefined;
  const gone = random.pick(blocks);
  const told = [
    `a main block removed (${place(page, gone)}; ${textOf(gone).length} of ${textOf(page.body).length} letters; one of ${blocks.length})`,
    `- ${brief(textOf(gone))}`,
  ];
  gone.remove();
  return told;
}

/** Headings of main blocks, or if there are none, the bold text at their beginnings. */
function headings(page: Document): Text[] {
  const within = blocksOf(page, [...MAIN, 'Title'], 8);
  for (const selector of ['h1, h2, h3, h4', 'b, strong']) {
    const found = within
      .flatMap((block) => (block.matches(selector) ? [block] : [...block.querySelectorAll(selector)]))
      .map((one) => textNodes(one, 8)[0])
      .filter((one) => one !== undefined);
    if (found.length > 0) return found;
  }
  return [];
}

function changeText(page: Document, node: Text, now: string, what: string): string[] {
  const was = brief(node.textContent ?? '', 240);
  const parent = node.parentElement as Element;
  node.textContent = now;
  return [`${what} (in ${parent.localName}, ${place(page, parent)})`, `- ${was}`, `+ ${brief(now, 240)}`];
}

export function headlineReplaced(page: Document, random: Random): string[] | undefined {
  const found = headings(page);
  if (found.length === 0) return undefined;
  return changeText(
    page,
    random.pick(found),
    newHeadline(random),
    `one of ${found.length} headlines replaced`,
  );
}

/** Replaces one word of the text, of at least four letters, that meets the condition. */
function otherWord(text: string, random: Random): string | undefined {
  const words = [...text.matchAll(/[\p{L}]{4,}/gu)];
  if (words.length === 0) return undefined;
  const word = random.pick(words);
  const now = newHeadline(random)
    .split(' ')
    .filter((one) => one.length >= 4);
  return text.slice(0, word.index) + random.pick(now) + text.slice(word.index + word[0].length);
}

export function headlineWord(page: Document, random: Random): string[] | undefined {
  const found = headings(page);
  if (found.length === 0) return undefined;
  const node = random.pick(found);
  const now = otherWord(node.textContent ?? '', random);
  return now === undefined
    ? undefined
    : changeText(page, node, now, `a word of one of ${found.length} headlines`);
}

export function factCorrected(page: Document, random: Random): string[] | undefined {
  const nodes = blocksOf(page, [...MAIN, 'Table'])
    .flatMap((block) => textNodes(block, 12))
    .filter((node) => /\b\d{1,4}\b/u.test(node.textContent ?? ''));
  if (nodes.length === 0) return undefined;
  const node = random.pick(nodes);
  const now = (node.textContent ?? '').replace(/\b\d{1,4}\b/u, (number) =>
    String(Number(number) + 1 + random.int(9)),
  );
  return changeText(page, node, now, 'a number in a text');
}

export function sentenceReplaced(page: Document, random: Random): string[] | undefined {
  const nodes = blocksOf(page, MAIN).flatMap((block) => textNodes(block, 60));
  if (nodes.length === 0) return undefined;
  const node = random.pick(nodes);
  const sentences = (node.textContent ?? '').split(/(?<=[.!?])\s+/u);
  const which = random.int(sentences.length);
  sentences[which] = newText(Math.max(60, sentences[which]?.length ?? 0), random);
  return changeText(page, node, sentences.join(' '), 'a sentence of a text replaced');
}

export function sideEntryAdded(page: Document, random: Random): string[] | undefined {
  const entries = blocksOf(page, ['LinkList', 'Sidebar']).flatMap((block) => [
    ...block.querySelectorAll('li'),
  ]);
  if (entries.length === 0) return undefined;
  const model = random.pick(entries);
  const entry = model.cloneNode(true) as Element;
  retell(entry, random);
  model.parentNode?.insertBefore(entry, model);
  return [
    `an entry added to a side list of ${entries.length} (${place(page, entry)})`,
    `+ ${brief(textOf(entry))}`,
  ];
}

export function menuEntryRenamed(page: Document, random: Random): string[] | undefined {
  const nodes = blocksOf(page, ['Menu'], 8).flatMap((block) => textNodes(block, 3));
  if (nodes.length === 0) return undefined;
  const now = newHeadline(random).split(' ').slice(0, 2).join(' ');
  return changeText(page, random.pick(nodes), now, `one of ${nodes.length} menu entries renamed`);
}

export function pictureReplaced(page: Document, random: Random): string[] | undefined {
  const pictures = [...page.querySelectorAll('img[src]')];
  const inMain = pictures.filter((one) =>
    ['Article', 'Content', 'Image'].includes(
      one.closest('[data-block-type]')?.getAttribute('data-block-type') ?? '',
    ),
  );
  if (inMain.length === 0) return undefined;
  const picture = random.pick(inMain);
  const sources = [...new Set(pictures.map((one) => one.getAttribute('src') ?? ''))];
  const others = sources.filter((one) => one !== picture.getAttribute('src'));
  if (others.length === 0) return undefined;
  const told = [
    `one of ${inMain.length} pictures replaced (${place(page, picture)}; alt "${picture.getAttribute('alt') ?? ''}")`,
  ];
  picture.setAttribute('src', random.pick(others));
  return told;
}

export function orderSwapped(page: Document, random: Random): string[] | undefined {
  const groups = [blocksOf(page, ['Article']), blocksOf(page, MAIN)].map((blocks) =>
    blocks.filter((one, i) => blocks.some((other, j) => i !== j && other.parentNode === one.parentNode)),
  );
  const blocks = groups.find((group) => group.length >= 2);
  if (!blocks) return undefined;
  const first = random.pick(blocks.slice(0, -1));
  const second = blocks.find((one) => one !== first && one.parentNode === first.parentNode);
  if (!second) return undefined;
  const told = [
    `two of ${blocks.length} main blocks changed places (${place(page, first)}, ${place(page, second)})`,
    `~ ${brief(textOf(first), 90)}`,
    `~ ${brief(textOf(second), 90)}`,
  ];
  const spot = page.createElement('span');
  first.replaceWith(spot);
  second.replaceWith(first);
  spot.replaceWith(second);
  return told;
}

export function footerChanged(page: Document, random: Random): string[] | undefined {
  const nodes = blocksOf(page, ['Footer'], 8).flatMap((block) => textNodes(block, 6));
  if (nodes.length === 0) return undefined;
  const node = nodes.find((one) => /\b(19|20)\d\d\b/u.test(one.textContent ?? '')) ?? random.pick(nodes);
  const text = node.textContent ?? '';
  const next = text.replace(/\b(19|20)\d\d\b/u, (year) => String(Number(year) + 1));
  const now = next === text ? otherWord(text, random) : next;
  return now === undefined ? undefined : changeText(page, node, now, 'the footer');
}

export function pageEmptied(page: Document): string[] | undefined {
  const blocks = blocksOf(page, [...MAIN, 'Table', 'LinkList', 'Sidebar', 'Comments']);
  if (blocks.length < 2) return undefined;
  const told = [`all ${blocks.length} blocks of content emptied; header, menu and footer stay`];
  for (const block of blocks) block.innerHTML = '';
  return told;
}

export function errorPage(page: Document): string[] {
  page.body.innerHTML =
    '<h1>Service Unavailable</h1><p>The server is temporarily unable to service your request. Please try again later.</p>';
  return ['an error page stands in its place (503)'];
}
