import type { PageSnapshot, SnapshotStyle } from '../src/model/page-snapshot.ts';
import type { PackedSnapshot, StyleRow } from '../src/model/snapshot-codec.ts';

/** As the walk in the page packs it. */
export function packSnapshot(snapshot: PageSnapshot): string {
  const tags: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    let n = numbers.get(name);
    if (n === undefined) {
      n = tags.push(name) - 1;
      numbers.set(name, n);
    }
    return n;
  };
  const { nodes, viewport, page } = snapshot;
  const elements = nodes.filter((node) => node.kind === 'element');
  const column = (side: 0 | 1 | 2 | 3) => nodes.map((node) => node.box[side]);
  const packed: PackedSnapshot = {
    packed: 1,
    url: snapshot.url,
    title: snapshot.title,
    language: snapshot.language,
    viewport: [viewport.width, viewport.height],
    page: [page.width, page.height],
    styles: snapshot.styles.map(rowOf),
    tags,
    up: nodes.map((node, i) => i - node.parent),
    tag: nodes.map((node) => (node.kind === 'text' ? -1 : numberOf(node.tag))),
    style: elements.map((node) => node.style),
    x: column(0),
    y: column(1),
    w: column(2),
    h: column(3),
    attributes: elements.map((node) => (Object.keys(node.attributes).length > 0 ? node.attributes : 0)),
    text: nodes.flatMap((node) => (node.kind === 'text' ? [node.text] : [])),
    ...(snapshot.cut !== undefined && { cut: snapshot.cut }),
    facts: snapshot.facts,
  };
  return JSON.stringify(packed);
}

function rowOf(style: SnapshotStyle): StyleRow {
  return [
    style.display,
    style.position,
    style.float,
    style.background,
    style.paints ? 1 : 0,
    style.backgroundImage ? 1 : 0,
    style.color,
    style.fontSize,
    style.fontWeight,
    style.fontFamily,
    style.borders.map((drawn) => (drawn ? '1' : '0')).join(''),
  ];
}
