import type { Millis } from '../../model/time.ts';
import { xmlText as xml } from '../xml-text.ts';

export interface AtomEntry {
  /** For ever the same, and no other entry's. */
  readonly id: string;
  readonly title: string;
  readonly at: Millis;
  /** Told only where the entry has no time but that of its text. */
  readonly isPublished?: true;
  /** Where a person reads it. */
  readonly address: string;
  /** The page on the live web that it is about. */
  readonly about: string;
  readonly categories?: readonly string[];
  readonly summary?: string;
}

export interface AtomFeed {
  /** Address of the feed itself. */
  readonly self: string;
  readonly title: string;
  /** Of a feed without entries. */
  readonly emptyAt?: Millis;
  /** The newest first. */
  readonly entries: readonly AtomEntry[];
}

/** Any text as a part of a URN; half a surrogate pair cannot be escaped. */
export const urnPart = (text: string): string =>
  encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

const iso = (time: Millis): string => new Date(time).toISOString();

/** Atom (RFC 4287). The same entries give the same feed: its time is that of the newest. */
export function atomText({ self, title, emptyAt = 0, entries }: AtomFeed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `  <id>${xml(self)}</id>`,
    `  <title>${xml(title)}</title>`,
    `  <updated>${iso(entries[0]?.at ?? emptyAt)}</updated>`,
    '  <author><name>Daguerre</name></author>',
    `  <link rel="self" href="${xml(self)}"/>`,
    ...entries.map(entryText),
    '</feed>\n',
  ].join('\n');
}

function entryText({
  id,
  title,
  at,
  isPublished,
  address,
  about,
  categories = [],
  summary,
}: AtomEntry): string {
  return [
    '  <entry>',
    `    <id>${xml(id)}</id>`,
    `    <title>${xml(title)}</title>`,
    ...(isPublished ? [`    <published>${iso(at)}</published>`] : []),
    `    <updated>${iso(at)}</updated>`,
    `    <link rel="alternate" href="${xml(address)}"/>`,
    `    <link rel="related" href="${xml(about)}"/>`,
    ...categories.map((term) => `    <category term="${xml(term)}"/>`),
    ...(summary === undefined ? [] : [`    <summary>${xml(summary)}</summary>`]),
    '  </entry>',
  ].join('\n');
}
