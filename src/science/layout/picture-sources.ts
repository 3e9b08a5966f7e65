/**
 * Where a picture may come from besides where it is shown from. Pages that load pictures late show one placeholder in
 * the place of all, and name the picture in an attribute of their own; others name several sizes of it. Which of
 * them is shown depends on window, scrolling and time, so a picture is known by all.
 */
import { FIRST_ADDRESS, MOST_CANDIDATES, PICTURE_ATTRIBUTE } from '../../model/picture-attributes.ts';

const namesPicture = new RegExp(PICTURE_ATTRIBUTE, 'u');
const firstAddress = new RegExp(FIRST_ADDRESS, 'u');

/** As the walk finds them. `elements`: attributes of the image, then of the sources around it. */
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

/** A source that so many pictures of a page are shown from stands for pictures to come, or is a sign. */
export const SHARED_SOURCE = 3;

export interface ShownPicture {
  readonly source: string;
  readonly candidates: readonly string[];
}

/** What a page shows in many places, or a `data:` picture, names none of the pictures it stands for. */
export const isPlaceholder = (source: string, shownFrom: ReadonlyMap<string, number>): boolean =>
  source.startsWith('data:') || (shownFrom.get(source) ?? 0) >= SHARED_SOURCE;

/** The source that tells the picture: that shown, or behind a placeholder the first candidate that is none. */
export function tellingSource(
  { source, candidates }: ShownPicture,
  shownFrom: ReadonlyMap<string, number>,
): ShownPicture {
  if (!isPlaceholder(source, shownFrom)) return { source, candidates };
  const behind = candidates.find((one) => !isPlaceholder(one, shownFrom));
  if (behind === undefined) return { source, candidates };
  return { source: behind, candidates: candidates.filter((one) => one !== behind) };
}
