/** For tests: markup that looks the same. Each keeps every box; texts and pictures keep their order. */
import type {
  PageSnapshot,
  SnapshotElement,
  SnapshotNode,
  SnapshotStyle,
} from '../src/model/page-snapshot.ts';

/** Puts a plain div around elements that break the line, as page builders do; `random` in [0, 1) says which. */
export function addWrappers(snapshot: PageSnapshot, random: () => number): PageSnapshot {
  const styles = [...snapshot.styles];
  const plain = new Map<string, number>();
  const plainStyle = (around: SnapshotStyle): number => {
    const style: SnapshotStyle = {
      ...around,
      display: 'block',
      position: 'static',
      float: 'none',
      paints: false,
      backgroundImage: false,
      borders: [false, false, false, false],
    };
    const key = JSON.stringify(style);
    const index = plain.get(key) ?? styles.push(style) - 1;
    plain.set(key, index);
    return index;
  };
  const nodes: SnapshotNode[] = [];
  const moved: number[] = [];
  for (const node of snapshot.nodes) {
    let parent = node.parent < 0 ? -1 : (moved[node.parent] as number);
    const style = node.kind === 'element' ? snapshot.styles[node.style] : undefined;
    const wraps = style !== undefined && style.display === 'block' && style.position === 'static';
    while (wraps && parent >= 0 && random() < 0.4) {
      const around = snapshot.styles[(nodes[parent] as SnapshotElement).style] as SnapshotStyle;
      const { box } = node;
      parent =
        nodes.push({ kind: 'element', parent, box, tag: 'div', style: plainStyle(around), attributes: {} }) -
        1;
    }
    moved.push(nodes.push({ ...node, parent }) - 1);
  }
  return { ...snapshot, styles, nodes };
}

export function renameClasses(snapshot: PageSnapshot): PageSnapshot {
  const nodes = snapshot.nodes.map((node, i): SnapshotNode => {
    if (node.kind === 'text') return node;
    return { ...node, attributes: { ...node.attributes, class: `css-${(i * 7919) % 1009}`, id: `r${i}` } };
  });
  return { ...snapshot, nodes };
}

/** Floats become items of a grid: the same boxes by other means. */
export function floatsToGrid(snapshot: PageSnapshot): PageSnapshot {
  const floats = (node: SnapshotNode): boolean =>
    node.kind === 'element' && snapshot.styles[node.style]?.float !== 'none';
  const holders = new Set(snapshot.nodes.filter(floats).map(({ parent }) => parent));
  const styles: SnapshotStyle[] = [];
  const nodes = snapshot.nodes.map((node, i): SnapshotNode => {
    if (node.kind === 'text') return node;
    const style = snapshot.styles[node.style] as SnapshotStyle;
    const display = holders.has(i) && style.display === 'block' ? 'grid' : style.display;
    return { ...node, style: styles.push({ ...style, display, float: 'none' }) - 1 };
  });
  return { ...snapshot, styles, nodes };
}
