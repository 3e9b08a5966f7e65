/**
 * A picture's possible sources besides the one shown. Pages that load pictures late show one placeholder for all of
 * them, and name the picture in an attribute of their own; others name several sizes of it. Which one is shown depends
 * on window, scrolling and time, so a picture is identified by all.
 */
import { FIRST_ADDRESS, MOST_CANDIDATES, PICTURE_ATTRIBUTE } from '../../model/picture-attributes.ts';

const namesPicture = new RegExp(PICTURE_ATTRIBUTE, 'u');
const firstAddress = new RegExp(FIRST_ADDRESS, 'u');

/** In the order in which the walk finds them. `elements`: attributes of the image, then of the sources around it. */
export function candidateSources(
  elements: readonly Readonly<Record<string, string>>[],
  shown: string | undefined,
  resolve: (url: string) => string,
): string {
  const found: string[] = [];
  for (const attributes of elements) {
    for (const [name, value] of Object.entries(attributes)) {
      if (found.length === MOST_CANDIDATES) break;
      const url = namesPicture.test(name) ? firstAddress.exec(value)?.[1] : undefined;
      if (url === undefined) continue;
      const address = resolve(url);
      if (address !== shown && !found.includes(address)) found.push(address);
    }
  }
  return found.join(' ');
}

/** A source that at least this many pictures on a page share is a placeholder for pictures to come, or an icon. */
export const SHARED_SOURCE = 3;

export interface ShownPicture {
  readonly source: string;
  readonly candidates: readonly string[];
}

/** A source that a page shows in many places, or a `data:` picture, does not identify the pictures it stands for. */
export const isPlaceholder = (source: string, shownFrom: ReadonlyMap<string, number>): boolean =>
  source.startsWith('data:') || (shownFrom.get(source) ?? 0) >= SHARED_SOURCE;

/** The source that identifies the picture: the one shown, or if that is a placeholder, the first candidate that is not. */
export function tellingSource(
  { source, candidates }: ShownPicture,
  shownFrom: ReadonlyMap<string, number>,
): ShownPicture {
  if (!isPlaceholder(source, shownFrom)) return { source, candidates };
  const behind = candidates.find((one) => !isPlaceholder(one, shownFrom));
  if (behind === undefined) return { source, candidates };
  return { source: behind, candidates: candidates.filter((one) => one !== behind) };
}
