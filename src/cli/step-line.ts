import { formatSize } from './quantities.ts';

/** Progress through files, on a terminal only. */
export function stepLine(stream: NodeJS.WriteStream) {
  let open = false;
  return {
    show(file: string, done: number, size: number): void {
      if (!stream.isTTY) return;
      const percent = size === 0 ? 100 : Math.floor((100 * done) / size);
      stream.write(
        `\r\u001b[K${`${percent}% of ${file} (${formatSize(size)})`.slice(0, stream.columns - 1)}`,
      );
      open = true;
    },
    end(): void {
      if (open) stream.write('\n');
      open = false;
    },
  };
}
