import { formatSize } from './quantity-text.ts';
import { type StatusStream, statusLine } from './status-line.ts';
import { columnsOf, cutToColumns } from './terminal-text.ts';

/** Progress through files, on a terminal only. */
export function stepLine(stream: StatusStream) {
  const line = statusLine(stream);
  return {
    show(file: string, done: number, size: number): void {
      const percent = size === 0 ? 100 : Math.floor((100 * done) / size);
      const [before, after] = [`${percent}% of `, ` (${formatSize(size)})`];
      // A long name is cut, not the numbers around it.
      line.show((columns) => {
        const room = columns - columnsOf(before + after);
        return room < 4
          ? cutToColumns(`${before}${file}`, columns)
          : before + cutToColumns(file, room) + after;
      });
    },
    end: line.end,
  };
}
