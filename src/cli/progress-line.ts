import type { Progress } from '../loop/progress.ts';
import { formatDuration, formatSize } from './quantities.ts';

/** Progress for people, on stderr: one line that is written over on a terminal, a line now and then elsewhere. */
export interface ProgressLine {
  show(progress: Progress): void;
  end(): void;
}

/** Milliseconds between two lines where lines cannot be written over (log files, CI). */
const PLAIN_EVERY = 10_000;

export function progressLine(stream: NodeJS.WriteStream, now: () => number): ProgressLine {
  let shownAt = now();
  let open = false;
  return {
    show(progress) {
      const text = progressText(progress);
      if (stream.isTTY) {
        stream.write(`\r\u001b[K${text.slice(0, Math.max(20, stream.columns - 1))}`);
        open = true;
      } else if (now() - shownAt >= PLAIN_EVERY) {
        shownAt = now();
        stream.write(`${text}\n`);
      }
    },
    end() {
      if (open) stream.write('\n');
      open = false;
    },
  };
}

export function progressText(progress: Progress): string {
  const { captured, unchanged, dropped, failed, resources, pending, bytes, rate, timeLeft } = progress;
  const parts = [
    `${captured + unchanged + dropped} pages`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(resources > 0 ? [`${resources} resources`] : []),
    formatSize(bytes),
    `${failed} failed`,
    `${pending} waiting`,
    `${rate.toFixed(1)}/s`,
  ];
  if (timeLeft !== undefined && pending > 0)
    parts.push(`about ${formatDuration(timeLeft)} for what is known`);
  return parts.join(' · ');
}
