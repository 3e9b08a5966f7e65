import { columnsOf } from './terminal-text.ts';

/** The part of tty.WriteStream that is used here. */
export interface StatusStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One line at the bottom of a terminal that is overwritten. Elsewhere there is none. */
export interface StatusLine {
  /** False where lines cannot be overwritten: files, pipes, terminals without cursor control. */
  readonly isLive: boolean;
  /** `line` is given the number of available columns. */
  show(line: (columns: number) => string): void;
  /** Leaves the line as it is; further output begins below it. */
  end(): void;
}

/** Columns of a terminal that does not report them. */
const USUAL_COLUMNS = 80;
/**
 * Does not clear to the end of the screen: from the top that is the whole screen, which tmux then moves into its history.
 */
const CLEAR_LINE = '\r\u001b[K';
const CLEAR_BELOW = '\r\u001b[J';

/** The open line of each stream: cleared before anything else is written. */
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

/** A sentence on a line of its own, above the status line if there is one. */
export function say(stream: StatusStream, sentence: string): void {
  const before = erased(stream);
  open.delete(stream);
  stream.write(`${before}${sentence}\n`);
}

/** A window that has since become narrower has wrapped the line: the rows above are cleared as well. */
function erased(stream: StatusStream): string {
  const line = open.get(stream);
  if (!line) return '';
  const rows = Math.ceil(line.columns / (stream.columns || USUAL_COLUMNS));
  return rows > 1 ? `\u001b[${rows - 1}A${CLEAR_BELOW}` : CLEAR_LINE;
}
