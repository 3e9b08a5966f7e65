/**
 * HTML text → the tree a browser builds from it with scripts on (WHATWG §13.2.6): implied elements and end tags,
 * tables, misnested formatting. What `document.write` and scripts add is not in it. htmlparser2's own trees follow
 * the tags as written: it inserts no tbody, closes no `p` before a table, and leaves misnested formatting as it is.
 *
 * Simplified: `select` and `svg` are closed by their end tag alone; frame sets, templates with a shadow root and
 * other rarities are reported as a doubt.
 */
import type { HtmlTree } from '../../model/html-tree.ts';
import { words } from '../words.ts';
import { COMMENT, flattened } from './flat-tree.ts';
import {
  BLOCKS,
  CLOSES_FOREIGN,
  ENDS_BLOCK,
  HEADINGS,
  HOLDERS,
  HTML_IN_FOREIGN,
  IN_HEAD,
  isQuirky,
  TABLE_PARTS,
  VOID,
} from './html-rules.ts';
import { isBlank, readTokens } from './html-tokens.ts';
import {
  adopt,
  type Building,
  building,
  FORMATTING,
  holdsNoText,
  OpenElements,
  SCOPES,
  SPECIAL,
} from './open-elements.ts';
import { tableModes } from './table-modes.ts';

export function parseHtmlTree(html: string): HtmlTree {
  const root = building('html');
  const head = building('head');
  const body = building('body');
  const open = new OpenElements(root);
  const doubts = new Set<string>();
  let bodyOpen = false;
  let quirks = true;
  let form: Building | undefined;
  open.add(head);

  const openBody = (): void => {
    if (bodyOpen) return;
    bodyOpen = true;
    open.stack.length = 1;
    open.open(body);
  };
  const insert = (tag: string, attributes: Record<string, string>): Building =>
    open.open(building(tag, attributes));
  const insertVoid = (tag: string, attributes: Record<string, string>): void =>
    open.add(building(tag, attributes));
  const fostered = (work: () => void): void => {
    open.foster = true;
    work();
    open.foster = false;
  };

  const tables = tableModes({
    open,
    insert,
    insertVoid,
    form: (attributes) => {
      if (form) return;
      form = building('form', attributes);
      open.add(form);
    },
    foster: (tag, attributes) => fostered(() => startInBody(tag, attributes, false)),
  });

  const startInBody = (tag: string, attributes: Record<string, string>, selfClosing: boolean): void => {
    if (BLOCKS.has(tag) || tag === 'p') {
      open.closeParagraph();
      insert(tag, attributes);
    } else if (HEADINGS.has(tag)) {
      open.closeParagraph();
      if (HEADINGS.has(open.current.tag)) open.pop();
      insert(tag, attributes);
    } else if (tag === 'li' || tag === 'dd' || tag === 'dt') {
      open.closeItem(tag);
      open.closeParagraph();
      insert(tag, attributes);
    } else if (tag === 'form') {
      if (form) return;
      open.closeParagraph();
      form = insert(tag, attributes);
    } else if (tag === 'a' || tag === 'nobr') {
      open.reconstruct();
      const before = tag === 'a' ? open.activeFormatting('a') : open.has('nobr') && open.current;
      if (before) {
        open.adopt(tag);
        if (tag === 'a') {
          open.dropFormatting(before);
          open.remove(before);
        }
        open.reconstruct();
      }
      open.pushFormatting(insert(tag, attributes));
    } else if (FORMATTING.has(tag)) {
      open.reconstruct();
      open.pushFormatting(insert(tag, attributes));
    } else if (tag === 'table') {
      if (!quirks) open.closeParagraph();
      insert(tag, attributes);
    } else if (tag === 'hr') {
      open.closeParagraph();
      insertVoid(tag, attributes);
    } else if (tag === 'param' || tag === 'source' || tag === 'track') insertVoid(tag, attributes);
    else if (IN_HEAD.has(tag)) startInHead(tag, attributes);
    else if (tag === 'xmp' || tag === 'plaintext') {
      open.closeParagraph();
      insert(tag, attributes);
    } else if (tag === 'optgroup' || tag === 'option') {
      if (open.current.tag === 'option') open.pop();
      open.reconstruct();
      insert(tag, attributes);
    } else if (tag === 'rb' || tag === 'rtc' || tag === 'rp' || tag === 'rt') {
      if (open.has('ruby')) open.imply(tag === 'rp' || tag === 'rt' ? 'rtc' : '');
      insert(tag, attributes);
    } else if (tag === 'svg' || tag === 'math') {
      open.reconstruct();
      const drawing = building(tag, attributes, true);
      if (selfClosing) open.add(drawing);
      else open.open(drawing);
    } else if (tag === 'frameset' || tag === 'frame') {
      doubts.add('frames');
    } else if (tag === 'body') {
      adopt(body, attributes);
    } else if (!TABLE_PARTS.has(tag) && tag !== 'head' && tag !== 'html') {
      if (tag === 'button' && open.has('button')) {
        open.imply();
        open.popUntil('button');
      }
      if (tag === 'select' && open.has('select', words('html table td th')))
        doubts.add('a select in a select');
      open.reconstruct();
      if (tag === 'image') insertVoid('img', attributes);
      else if (VOID.has(tag)) insertVoid(tag, attributes);
      else insert(tag, attributes);
      if (HOLDERS.has(tag)) open.mark();
    }
  };
  const startInHead = (tag: string, attributes: Record<string, string>): void => {
    if (tag === 'template' && attributes.shadowrootmode !== undefined)
      doubts.add('a shadow root in the HTML');
    if (VOID.has(tag)) insertVoid(tag, attributes);
    else {
      insert(tag, attributes);
      if (tag === 'template') open.mark();
    }
  };

  const inForeign = (): boolean => {
    const { foreign, tag } = open.current;
    return foreign && !HTML_IN_FOREIGN.has(tag);
  };

  const endInBody = (tag: string): void => {
    if (tag === 'body' || tag === 'html' || tag === 'head') return;
    if (tag === 'p') {
      if (!open.has('p', SCOPES.button)) insert('p', {});
      open.closeParagraph();
    } else if (tag === 'br') startInBody('br', {}, false);
    else if (ENDS_BLOCK.has(tag) || HOLDERS.has(tag)) {
      if (!open.has(tag)) return;
      open.imply();
      open.popUntil(tag);
      if (HOLDERS.has(tag)) open.clearToMarker();
    } else if (tag === 'form') {
      const ended = form;
      form = undefined;
      if (!ended || !open.stack.includes(ended)) return;
      open.imply();
      open.remove(ended);
    } else if (tag === 'li' || tag === 'dd' || tag === 'dt') {
      if (!open.has(tag, tag === 'li' ? SCOPES.list : SCOPES.default)) return;
      open.imply(tag);
      open.popUntil(tag);
    } else if (HEADINGS.has(tag)) {
      if (!open.has(HEADINGS)) return;
      open.imply();
      open.popUntil(HEADINGS);
    } else if (tag === 'template') {
      if (!open.stack.some((element) => element.tag === tag)) return;
      open.popUntil(tag);
      open.clearToMarker();
    } else if (!FORMATTING.has(tag) || !open.adopt(tag)) endAny(tag);
  };
  const endAny = (tag: string): void => {
    for (let i = open.stack.length - 1; i > 0; i--) {
      const element = open.stack[i] as Building;
      if (element.tag === tag) {
        open.imply(tag);
        open.stack.length = Math.max(1, Math.min(open.stack.length, i));
        return;
      }
      if (SPECIAL.has(element.tag) && !element.foreign) return;
    }
  };

  readTokens(html, {
    doctype: (text) => {
      if (!bodyOpen && open.stack.length === 1) quirks = isQuirky(text);
    },
    start: (tag, attributes, selfClosing) => {
      if (inForeign()) {
        const breaksOut =
          CLOSES_FOREIGN.has(tag) ||
          (tag === 'font' && ('color' in attributes || 'face' in attributes || 'size' in attributes));
        if (!breaksOut) {
          const element = building(tag, attributes, true);
          if (selfClosing) open.add(element);
          else open.open(element);
          return;
        }
        while (inForeign()) open.pop();
      }
      if (!bodyOpen) {
        if (tag === 'html' || tag === 'head') return adopt(tag === 'html' ? root : head, attributes);
        if (IN_HEAD.has(tag) || (open.stack.length > 1 && open.current !== head)) {
          if (open.stack.length === 1) open.stack.push(head);
          return startInHead(tag, attributes);
        }
        openBody();
        if (tag === 'body') return adopt(body, attributes);
      }
      if (open.tables === 0 || !tables.start(tag, attributes)) startInBody(tag, attributes, selfClosing);
    },
    holdsMarkup: () => open.current.foreign,
    end: (tag) => {
      if (open.current.foreign) return endForeign(tag);
      if (!bodyOpen) {
        if (open.current.tag === tag && tag !== 'head') open.pop();
        if (open.current === head) open.stack.length = 1;
        if (tag === 'br') {
          openBody();
          endInBody(tag);
        }
        return;
      }
      if (open.tables > 0 && (TABLE_PARTS.has(tag) || tag === 'table') && tables.end(tag)) return;
      if (tag === 'table' || TABLE_PARTS.has(tag)) return;
      open.foster = holdsNoText(open.current);
      endInBody(tag);
      open.foster = false;
    },
    text: (text) => {
      if (!bodyOpen) {
        if (isBlank(text) || open.current.tag === 'template') return;
        openBody();
      }
      open.foster = holdsNoText(open.current);
      if (open.foster && isBlank(text)) {
        open.foster = false;
        return;
      }
      if (!open.current.foreign) open.reconstruct();
      open.text(text);
      open.foster = false;
    },
    content: (tag, text) => {
      if (open.current.tag !== tag) return;
      if (text !== '') open.text(text);
    },
    comment: () => {
      if (bodyOpen) open.current.children.push(COMMENT);
    },
    doubt: (what) => doubts.add(what),
  });
  openBody();
  return { nodes: flattened(root), doubts: [...doubts] };

  function endForeign(tag: string): void {
    if (tag === 'p' || tag === 'br') {
      while (inForeign()) open.pop();
      endInBody(tag);
      return;
    }
    for (let i = open.stack.length - 1; i > 0; i--) {
      const element = open.stack[i] as Building;
      if (!element.foreign) {
        endInBody(tag);
        return;
      }
      if (element.tag === tag) {
        open.stack.length = i;
        return;
      }
    }
  }
}
