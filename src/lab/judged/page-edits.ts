/**
 * Known edits of a page whose blocks people marked (`data-block-type`): what an editor, a clock or an ad server does,
 * named, drawn by a seed, made in the HTML. Both sides are serialised by the same parser, so that nothing but the edits
 * differs. Undefined if a page has no place for one of them.
 */
import { parseHTML } from 'linkedom';
import { type Random, stream } from '../newspaper/random.ts';
import * as content from './content-edits.ts';
import * as volatile from './volatile-edits.ts';

export interface EditedPair {
  readonly old: string;
  readonly now: string;
  /** What was done and where, in words, for the judge. Contains texts of the page: not to be stored. */
  readonly told: readonly string[];
}

type Told = string[] | undefined;
/** Adds to the page whatever the edit needs to exist beforehand, and returns the edit. */
export type Prepare = (page: Document, random: Random) => () => Told;

const plain =
  (edit: (page: Document, random: Random) => Told): Prepare =>
  (page, random) =>
  () =>
    edit(page, random);

/** Edits that count nothing come first: what they need is added before anything else is edited. */
const EDITS = {
  clock: volatile.clockTicked,
  counter: volatile.counterTicked,
  'relative-date': volatile.relativeDateTicked,
  advertisement: volatile.advertisementSwapped,
  footer: plain(content.footerChanged),
  order: plain(content.orderSwapped),
  picture: plain(content.pictureReplaced),
  'menu-entry': plain(content.menuEntryRenamed),
  'side-entry': plain(content.sideEntryAdded),
  sentence: plain(content.sentenceReplaced),
  fact: plain(content.factCorrected),
  'headline-word': plain(content.headlineWord),
  'headline-replaced': plain(content.headlineReplaced),
  'story-removed': plain(content.storyRemoved),
  'story-added': plain(content.storyAdded),
  'lead-replaced': plain(content.leadReplaced),
  emptied: plain(content.pageEmptied),
  'error-page': plain(content.errorPage),
} satisfies Record<string, Prepare>;

export type EditName = keyof typeof EDITS;
export const EDIT_NAMES = Object.keys(EDITS) as EditName[];
export const isEditName = (name: string): name is EditName => Object.hasOwn(EDITS, name);

/** Makes the edits in the order of the table, whatever the order of the names. */
export function editPage(html: string, names: readonly EditName[], seed: number): EditedPair | undefined {
  const { document } = parseHTML(html) as unknown as { document: Document };
  const edits = EDIT_NAMES.filter((name) => names.includes(name)).map((name) =>
    EDITS[name](document, stream('page-edit', name, seed)),
  );
  const old = document.toString();
  const told: string[] = [];
  for (const edit of edits) {
    const did = edit();
    if (!did) return undefined;
    told.push(...did);
  }
  const now = document.toString();
  return now === old ? undefined : { old, now, told };
}
