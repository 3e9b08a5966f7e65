/** Tags inside tables: the insertion modes "in table" to "in cell" of the HTML tree construction (WHATWG §13.2.6.4.9-15). */
import { CELLS, ROW_ROOT, SECTION_ROOT, SECTIONS, TABLE_PARTS, TABLE_ROOT } from './html-rules.ts';
import { type Building, type OpenElements, SCOPES } from './open-elements.ts';

type Attributes = Record<string, string>;

interface TableHost {
  readonly open: OpenElements;
  insert(tag: string, attributes: Attributes): Building;
  insertVoid(tag: string, attributes: Attributes): void;
  /** A form directly in a table stays empty. */
  form(attributes: Attributes): void;
  /** Content outside any cell goes before the table. */
  foster(tag: string, attributes: Attributes): void;
}

/** Each returns whether it has handled the tag. */
interface TableModes {
  start(tag: string, attributes: Attributes): boolean;
  end(tag: string): boolean;
}

export function tableModes(host: TableHost): TableModes {
  const { open, insert, insertVoid } = host;

  /** The part of a table that the next token is in; '' outside tables. */
  const tablePart = (): string => {
    if (open.tables === 0) return '';
    for (let i = open.stack.length - 1; i > 0; i--) {
      const { tag, foreign } = open.stack[i] as Building;
      if (foreign) continue;
      if (CELLS.has(tag)) return 'cell';
      if (tag === 'tr') return 'row';
      if (SECTIONS.has(tag)) return 'section';
      if (tag === 'table' || tag === 'caption' || tag === 'colgroup') return tag;
      if (tag === 'template' || tag === 'select') return '';
    }
    return '';
  };
  const closeCell = (): void => {
    open.imply();
    open.popUntil(CELLS);
    open.clearToMarker();
  };

  /** Whether the start tag was a table tag in its place. */
  const start = (tag: string, attributes: Record<string, string>): boolean => {
    for (;;) {
      const part = tablePart();
      if (part === '') return false;
      const isPart = TABLE_PARTS.has(tag);
      if (part === 'cell') {
        if (!isPart) return false;
        closeCell();
      } else if (part === 'caption') {
        if (!isPart) return false;
        open.imply();
        open.popUntil('caption');
        open.clearToMarker();
      } else if (part === 'colgroup') {
        if (tag === 'col') {
          insertVoid(tag, attributes);
          return true;
        }
        if (tag === 'template') return false;
        open.pop();
      } else if (part === 'row') {
        if (CELLS.has(tag)) {
          open.clearTo(ROW_ROOT);
          insert(tag, attributes);
          open.mark();
          return true;
        }
        if (!isPart) return otherInTable(tag, attributes);
        open.clearTo(ROW_ROOT);
        open.pop();
      } else if (part === 'section') {
        if (tag === 'tr') {
          open.clearTo(SECTION_ROOT);
          insert(tag, attributes);
          return true;
        }
        if (CELLS.has(tag)) {
          open.clearTo(SECTION_ROOT);
          insert('tr', {});
        } else if (isPart) {
          open.clearTo(SECTION_ROOT);
          open.pop();
        } else return otherInTable(tag, attributes);
      } else {
        if (!isPart) return otherInTable(tag, attributes);
        open.clearTo(TABLE_ROOT);
        if (tag === 'caption') {
          open.mark();
          insert(tag, attributes);
          return true;
        }
        if (tag === 'colgroup' || SECTIONS.has(tag)) {
          insert(tag, attributes);
          return true;
        }
        insert(tag === 'col' ? 'colgroup' : 'tbody', {});
      }
    }
  };
  const otherInTable = (tag: string, attributes: Record<string, string>): boolean => {
    if (tag === 'table') {
      open.popUntil('table');
      open.tables--;
      return false;
    }
    if (tag === 'style' || tag === 'script' || tag === 'template') return false;
    if (tag === 'input' && attributes.type?.toLowerCase() === 'hidden') {
      insertVoid(tag, attributes);
      return true;
    }
    if (tag === 'form') {
      host.form(attributes);
      return true;
    }
    host.foster(tag, attributes);
    return true;
  };

  const end = (tag: string): boolean => {
    for (;;) {
      const part = tablePart();
      const ends = tag === 'table' || tag === 'tr' || SECTIONS.has(tag);
      if (part === '') return TABLE_PARTS.has(tag);
      if (part === 'cell') {
        if (CELLS.has(tag)) {
          if (open.has(tag, SCOPES.table)) {
            open.imply();
            open.popUntil(tag);
            open.clearToMarker();
          }
          return true;
        }
        if (!ends) return TABLE_PARTS.has(tag) || tag === 'body' || tag === 'html';
        if (!open.has(tag, SCOPES.table)) return true;
        closeCell();
      } else if (part === 'caption') {
        if (tag !== 'caption' && tag !== 'table') return TABLE_PARTS.has(tag);
        open.imply();
        open.popUntil('caption');
        open.clearToMarker();
        if (tag === 'caption') return true;
      } else if (part === 'colgroup') {
        open.pop();
        if (tag === 'colgroup') return true;
      } else if (part === 'row') {
        if (!ends) return TABLE_PARTS.has(tag);
        if (!open.has(tag, SCOPES.table)) return true;
        open.clearTo(ROW_ROOT);
        open.pop();
        if (tag === 'tr') return true;
      } else if (part === 'section') {
        if (!ends || tag === 'tr') return TABLE_PARTS.has(tag);
        if (!open.has(tag, SCOPES.table)) return true;
        open.clearTo(SECTION_ROOT);
        open.pop();
        if (tag !== 'table') return true;
      } else {
        if (tag !== 'table') return TABLE_PARTS.has(tag);
        open.popUntil('table');
        open.tables--;
        return true;
      }
    }
  };

  return { start, end };
}
