import type { ChangeOperation } from '../../model/change.ts';
import type { ChangeSummary } from '../../ports/catalog.ts';
import { compareAddress } from '../alerts/alert-payload.ts';
import { formatTimestamp } from '../replay-url.ts';
import { type AtomEntry, atomText, urnPart } from './atom.ts';

export interface ChangeFeedOf {
  readonly self: string;
  /** `site example.org`, `https://example.org/news`. */
  readonly of: string;
  /** Where the web page is served, without a slash at its end. */
  readonly base: string;
}

/** Characters of each text that came or went. */
const MOST_TEXT = 300;

/** Changes of a site, a page or all as Atom. */
export function changeFeed(changes: readonly ChangeSummary[], { self, of, base }: ChangeFeedOf): string {
  return atomText({ self, title: `Changes: ${of}`, entries: changes.map((change) => entryOf(change, base)) });
}

function entryOf(change: ChangeSummary, base: string): AtomEntry {
  const { url, to, why, importance, operations } = change;
  const said = why || `changed, importance ${importance.toFixed(2)}`;
  const lines = operations.flatMap(textsOf);
  return {
    id: `urn:change:${formatTimestamp(to)}:${urnPart(url)}`,
    title: `${url}: ${said}`,
    at: to,
    address: compareAddress(base, change),
    about: url,
    summary: [said, ...lines].join('\n'),
  };
}

const textsOf = ({ old, new: now }: ChangeOperation): readonly string[] => [
  ...(old ? [`− ${cut(old)}`] : []),
  ...(now ? [`+ ${cut(now)}`] : []),
];

const cut = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);
