import { defuseTree } from './defuse.ts';
import { type Any, uncurried, wrap } from './natives.ts';
import type { Realm } from './realm.ts';

const FRAMES = 'iframe,frame,object,embed';
const OWNERS = [
  'Element',
  'Document',
  'DocumentFragment',
  'CharacterData',
  'DocumentType',
  'ShadowRoot',
  'Range',
];
const METHODS = [
  'append',
  'prepend',
  'replaceChildren',
  'before',
  'after',
  'replaceWith',
  'insertAdjacentElement',
  'moveBefore',
  'insertNode',
  'surroundContents',
];

/** Nodes that a script puts into the document: each frame goes in on its own, after the rest, so that no script runs in between. */
export function protectInsertions(realm: Realm): void {
  const { window, nodeType, inside, sweep } = realm;
  const replaceWith = uncurried(window.Element.prototype.replaceWith);
  const replaceComment = uncurried(window.CharacterData.prototype.replaceWith);
  const isNode = (value: Any): boolean => {
    try {
      nodeType(value);
      return true;
    } catch {
      return false;
    }
  };

  /** Comments in the place of frames that have company, and those frames. */
  const setAside = (node: Any, late: [Any, Any][]): void => {
    const type = nodeType(node);
    if (type !== 1 && type !== 11) return;
    const frames = inside(node, FRAMES);
    if (frames.length === 0 || inside(node, '*').length === frames.length) return;
    for (let k = 0; k < frames.length; k++) {
      const mark = window.document.createComment('');
      replaceWith(frames[k], mark);
      late[late.length] = [mark, frames[k]];
    }
  };

  const insert = (native: Any, self: Any, args: Any[]): Any => {
    const late: [Any, Any][] = [];
    for (let i = 0; i < args.length; i++) {
      const node = args[i];
      if (node === null || typeof node !== 'object' || !isNode(node)) continue;
      defuseTree(realm, node);
      setAside(node, late);
    }
    try {
      return native(self, ...args);
    } finally {
      sweep();
      for (let i = 0; i < late.length; i++) {
        const [mark, frame] = late[i] as [Any, Any];
        replaceComment(mark, frame);
        sweep();
      }
    }
  };

  for (const name of ['appendChild', 'insertBefore', 'replaceChild'])
    wrap(window.Node.prototype, name, insert);
  for (const owner of OWNERS) for (const name of METHODS) wrap(window[owner]?.prototype, name, insert);
  wrap(window.Document.prototype, 'body', insert);
}
