import type { PageSnapshot, SnapshotElement } from '../../model/page-snapshot.ts';
import { classesOf } from './simple-selector.ts';

const LANDMARKS = new Set(['nav', 'footer']);
const ROLES = new Set(['navigation', 'banner', 'contentinfo', 'menu', 'menubar']);
const NAMES = new Set(
  'nav navi navbar navigation menu mainmenu submenu sitemap breadcrumb breadcrumbs footer toolbar'.split(' '),
);
/** The header of a page is navigation; that of a story or section is not. */
const CONTENT = new Set(['main', 'article', 'section', 'aside']);

/** 1 for each node in the page's navigation: menus, its header and footer. By tags, roles and names, not by position. */
export function navigationNodes({ nodes }: PageSnapshot): Uint8Array {
  const inside = new Uint8Array(nodes.length);
  const inContent = new Uint8Array(nodes.length);
  const known = new Map<string, boolean>();
  const isNamed = (name: string): boolean => {
    const answer = known.get(name) ?? isNavigationName(name);
    known.set(name, answer);
    return answer;
  };
  const isNavigation = ({ tag, attributes }: SnapshotElement): boolean =>
    LANDMARKS.has(tag) ||
    ROLES.has(attributes.role ?? '') ||
    isNamed(tag) ||
    isNamed(attributes.id ?? '') ||
    classesOf(attributes.class).some(isNamed);
  nodes.forEach((node, i) => {
    if (node.parent >= 0) {
      inside[i] = inside[node.parent] as number;
      inContent[i] = inContent[node.parent] as number;
    }
    if (node.kind !== 'element' || i === 0) return;
    if (CONTENT.has(node.tag)) inContent[i] = 1;
    if (inside[i] === 1) return;
    if (isNavigation(node) || (inContent[i] === 0 && /(?:^|-)header$/u.test(node.tag))) inside[i] = 1;
  });
  return inside;
}

const isNavigationName = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/[-_]+/u)
    .some((word) => NAMES.has(word));
