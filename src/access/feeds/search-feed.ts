import type { FoundPassage, SearchEvent } from '../../ports/search-index.ts';
import { formatTimestamp } from '../replay-url.ts';
import { type AtomEntry, atomText, urnPart } from './atom.ts';

export interface SearchFeedOf {
  readonly self: string;
  /** What was looked for. */
  readonly text: string;
  readonly event: SearchEvent;
  /** Where the web page is served, without a slash at its end. */
  readonly base: string;
}

/** Passages that came, or went, as Atom: the newest first. */
export function searchFeed(found: readonly FoundPassage[], of: SearchFeedOf): string {
  const entries = found.map((one) => entryOf(one, of)).sort((a, b) => b.at - a.at);
  return atomText({ self: of.self, title: `Search: ${of.text}`, entries });
}

const TITLE = 120;

function entryOf(
  { url, text, kind, cameAt, lastAt, goneAt }: FoundPassage,
  { base, event }: SearchFeedOf,
): AtomEntry {
  const at = event === 'vanished' ? (goneAt ?? lastAt) : cameAt;
  // Of what went, the last version that shows it.
  const shown = formatTimestamp(event === 'vanished' ? lastAt : cameAt);
  const words = text.length > TITLE ? `${text.slice(0, TITLE)}…` : text;
  return {
    id: `urn:passage:${event}:${formatTimestamp(at)}:${urnPart(`${url} ${text}`)}`,
    title: `${words} (${url})`,
    at,
    address: `${base}/#/replay?${new URLSearchParams({ url, at: shown }).toString()}`,
    about: url,
    categories: [kind],
    summary: text,
  };
}
