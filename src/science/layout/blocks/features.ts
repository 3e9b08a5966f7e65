/**
 * Features that tell whether a part of a page is one block or several. All are ratios or logarithms, so that a page of
 * any size is judged alike; none depends on names, classes or depth.
 */
import { gapsOf } from './gaps.ts';
import type { PartLook } from './looks.ts';
import { area, height, linkDensity, meanFont, type PartFacts, share, width } from './part-facts.ts';
import type { VisualPart, VisualTree } from './visual-tree.ts';

export const FEATURES = [
  // Size, as shares of the page.
  'areaShare',
  'areaRest',
  'characterShare',
  'characterRest',
  'widthShare',
  'heightShare',
  // Separators, backgrounds, fonts, alignment.
  'widestGap',
  'gapContrast',
  'columns',
  'drawn',
  'drawnChildren',
  'backgroundContrast',
  'fontContrast',
  // Content.
  'proseShare',
  'linkDensity',
  'linkContrast',
  'pictureShare',
  // Structure.
  'inline',
  'singleTexts',
  'children',
  'largestChild',
  'alike',
  'landmark',
  'landmarkChildren',
] as const;

export type Feature = (typeof FEATURES)[number];

/** Row i holds the features of part i, in the order of FEATURES; parts without children have none. */
export function featuresOf(
  { parts }: VisualTree,
  facts: readonly PartFacts[],
  looks: readonly PartLook[],
): Float64Array {
  const rows = new Float64Array(parts.length * FEATURES.length);
  const page = facts[0];
  if (page === undefined) return rows;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as VisualPart;
    if (part.children.length === 0) continue;
    rows.set(rowOf(part, index, facts, looks, page), index * FEATURES.length);
  }
  return rows;
}

function rowOf(
  part: VisualPart,
  index: number,
  facts: readonly PartFacts[],
  looks: readonly PartLook[],
  page: PartFacts,
): number[] {
  const own = facts[index] as PartFacts;
  const children = part.children.map((child) => facts[child] as PartFacts);
  const look = looks[index] as PartLook;
  const childLooks = part.children.map((child) => looks[child] as PartLook);
  const gaps = gapsOf(children);
  const font = meanFont(own) || meanFont(page) || 16;
  const n = children.length;
  let linkContrast = 0;
  let fontContrast = 0;
  let largestChild = 0;
  for (const child of children) {
    const portion = share(child.characters, own.characters);
    linkContrast += portion * Math.abs(linkDensity(child) - linkDensity(own));
    if (child.characters > 0) fontContrast += portion * Math.abs(Math.log(meanFont(child) / font));
    largestChild = Math.max(largestChild, share(area(child), area(own)));
  }
  const values: Record<Feature, number> = {
    areaShare: Math.sqrt(share(area(own), area(page))),
    areaRest: -Math.log(1.02 - share(area(own), area(page))),
    characterShare: Math.sqrt(share(own.characters, page.characters)),
    characterRest: -Math.log(1.02 - share(own.characters, page.characters)),
    widthShare: share(width(own), width(page)),
    heightShare: share(height(own), height(page)),
    widestGap: Math.log1p(gaps.widest / font),
    gapContrast: Math.log1p(gaps.widest / font) - Math.log1p(gaps.median / font),
    columns: gaps.columns,
    drawn: look.drawn ? 1 : 0,
    drawnChildren: share(childLooks.filter((child) => child.drawn).length, n),
    backgroundContrast: new Set(childLooks.map((child) => child.background).filter(Boolean)).size > 1 ? 1 : 0,
    fontContrast,
    proseShare: share(own.proseCharacters, own.characters),
    linkDensity: linkDensity(own),
    linkContrast,
    pictureShare: share(own.pictureArea, own.ink),
    inline: part.inline ? 1 : 0,
    singleTexts: share(children.filter((child) => child.texts <= 1).length, n),
    children: Math.log(n),
    largestChild,
    alike: alikeShare(children),
    landmark: look.landmark ? 1 : 0,
    landmarkChildren: childLooks.some((child) => child.landmark) ? 1 : 0,
  };
  return FEATURES.map((name) => values[name]);
}

/** Repeated structure: share of the children in the largest group of equal width, type size and presence of pictures. */
function alikeShare(children: readonly PartFacts[]): number {
  if (children.length < 2) return 0;
  const kinds = new Map<string, number>();
  let most = 0;
  for (const child of children) {
    const kind = `${Math.round(width(child) / 8)} ${Math.round(meanFont(child))} ${child.pictures > 0}`;
    const count = (kinds.get(kind) ?? 0) + 1;
    kinds.set(kind, count);
    most = Math.max(most, count);
  }
  return (most - 1) / (children.length - 1);
}
