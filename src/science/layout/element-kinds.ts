import type { SnapshotElement } from '../../model/page-snapshot.ts';

/** What reading content needs to know about an element: decided by display, tag and attributes, never by position. */

/** Displays that do not break the line (CSS Display 3); flex and grid items are made `block` by the browser. */
const IN_LINE = new Set([
  'inline',
  'inline-block',
  'inline-flex',
  'inline-grid',
  'inline-table',
  'contents',
  'ruby',
  'ruby-base',
  'ruby-text',
  'math',
]);

/** Inline by display, but their text is not part of the sentence around them. */
const CONTROLS = new Set(['button', 'select', 'textarea', 'input', 'option', 'summary', 'legend']);

/** Shown as one picture: anything inside is fallback or drawing, not page text. */
const PICTURES = new Set(['img', 'svg', 'video', 'canvas', 'object', 'embed', 'image']);

/** The browser shows these as one thing, whatever is inside. */
export const SHOW_THEMSELVES: ReadonlySet<string> = new Set(
  'input textarea select progress meter img canvas video audio embed hr iframe frame svg object button'.split(
    ' ',
  ),
);

export function breaksLine(display: string, tag: string): boolean {
  return !IN_LINE.has(display) || CONTROLS.has(tag);
}

export function isPicture(element: SnapshotElement): boolean {
  return PICTURES.has(element.tag) || (element.tag === 'input' && element.attributes.type === 'image');
}

/** The name of a link or picture that has no text of its own. */
export function labelOf(element: SnapshotElement): string {
  const { alt, title, 'aria-label': label } = element.attributes;
  return label?.trim() || alt?.trim() || title?.trim() || '';
}

export function linkAddress(element: SnapshotElement): string | undefined {
  if (element.tag !== 'a' && element.tag !== 'area') return undefined;
  return element.attributes.href ?? element.attributes['xlink:href'];
}

/** The address of a picture; undefined where it has none of its own (inline drawings). */
export function pictureSource(element: SnapshotElement): string | undefined {
  const { src, poster, data, href } = element.attributes;
  switch (element.tag) {
    case 'video':
      return poster || src;
    case 'object':
      return data || src;
    case 'image':
      return href || src;
    default:
      return src;
  }
}

/** Text that a control shows although it is not a text node. */
export function controlText(element: SnapshotElement): string | undefined {
  if (element.tag !== 'input') return undefined;
  const { type, value } = element.attributes;
  return type === 'submit' || type === 'button' || type === 'reset' ? value : undefined;
}
