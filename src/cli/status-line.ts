import { columnsOf } from './terminal-text.ts';

/** The part of tty.WriteStream that is used here. */
export interface StatusStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One line at the bottom of a terminal that is written over. Elsewhere there is none. */
export interface StatusLine {
  /** False where lines cannot be written over: files, pipes, terminals without cursor. */
  readonly isLive: boolean;
  /** `line` is given the columns there are. */
  show(line: (columns: number) => string): void;
  /** Leaves the line as it stands; what follows begins below it. */
  end(): void;
}

/** Columns of a terminal that does not tell. */
const USUAL_COLUMNS = 80;
/** Not from here to the end of the screen: at its top that is the whole screen, which tmux then moves into its history. */
const CLEAR_LINE = '\r\u001b[K';
const CLEAR_BELOW = '\r\u001b[J';

/** The open line of each stream: it is cleared before anything else is written. */
const open = new WeakMap<object, { columns: number }>();

export function statusLine(stream: StatusStream, terminal = process.env.TERM): StatusLine {
  const isLive = stream.isTTY === true && terminal !== 'dumb';
  return {
    isLive,
    show(line) {
      if (!isLive) return;
      const columns = stream.columns || USUAL_COLUMNS;
      // The last column stays empty: a character there moves some terminals to the next line.
      const text = line(columns - 1);
      stream.write(`${erased(stream)}${text}`);
      open.set(stream, { columns: columnsOf(text) });
    },
    end() {
      if (open.delete(stream)) stream.write('\n');
    },
  };
}

/** A sentence on a line of its own, above the status line where there is one. */
export function say(stream: StatusStream, sentence: string): void {
  const before = erased(stream);
  open.delete(stream);
  stream.write(`${before}${sentence}\n`);
}

/** A window that became narrower since has wrapped the line: its rows above are taken away as well. */
function erased(stream: StatusStream): string {
  const line = open.get(stream);
  if (!line) return '';
  const rows = Math.ceil(line.columns / (stream.columns || USUAL_COLUMNS));
  return rows > 1 ? `\u001b[${rows - 1}A${CLEAR_BELOW}` : CLEAR_LINE;
}
