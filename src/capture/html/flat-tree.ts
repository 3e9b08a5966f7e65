import type { HtmlNode } from '../../model/html-tree.ts';
import type { Building } from './open-elements.ts';

/** Between two texts, so that they stay separate. */
export const COMMENT = '\0comment';

/** With an explicit stack: recursion would overflow on deeply nested pages. */
export function flattened(root: Building): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  const ends: { end: number }[] = [];
  const stack: { element: Building; index: number; at: number }[] = [];
  const enter = (element: Building, parent: number): void => {
    const { tag, attributes } = element;
    const node = { kind: 'element' as const, parent, end: 0, tag, attributes };
    ends.push(node);
    stack.push({ element, index: nodes.push(node) - 1, at: 0 });
  };
  enter(root, -1);
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { element, index } = frame;
    const child = element.children[frame.at++];
    if (child === undefined) {
      (ends.pop() as { end: number }).end = nodes.length;
      stack.pop();
    } else if (typeof child !== 'string') enter(child, index);
    else if (child !== COMMENT) {
      let text = child;
      for (let next = element.children[frame.at]; typeof next === 'string' && next !== COMMENT; ) {
        text += next;
        next = element.children[++frame.at];
      }
      nodes.push({ kind: 'text', parent: index, end: nodes.length + 1, text });
    }
  }
  return nodes;
}
