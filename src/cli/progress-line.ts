import type { Progress } from '../archive/crawl/run-crawl.ts';
import { formatDuration, formatSize } from './quantity-text.ts';
import { type StatusStream, statusLine } from './status-line.ts';
import { fittedLine, type LinePart } from './terminal-text.ts';

/** Progress for people, on stderr: one line that is overwritten on a terminal, a line now and then elsewhere. */
export interface ProgressLine {
  show(progress: Progress): void;
  end(): void;
}

/** Milliseconds between two lines where lines cannot be overwritten (log files, CI). */
const PLAIN_EVERY = 10_000;

export function progressLine(stream: StatusStream, now: () => number): ProgressLine {
  const line = statusLine(stream);
  let shownAt = now();
  return {
    show(progress) {
      const parts = progressParts(progress);
      if (line.isLive) line.show((columns) => fittedLine(parts, columns));
      else if (now() - shownAt >= PLAIN_EVERY) {
        shownAt = now();
        stream.write(`${fittedLine(parts, Number.POSITIVE_INFINITY)}\n`);
      }
    },
    end: line.end,
  };
}

/** What is shown, and what is left out first. */
function progressParts(progress: Progress): readonly LinePart[] {
  const { captured, unchanged, dropped, redirects, failed, resources, pending, bytes, rate } = progress;
  const pages = captured + unchanged + dropped + redirects + failed;
  const { pageLimit: limit, pause } = progress;
  const part = (spare: number, text: string, wanted = true): LinePart[] => (wanted ? [{ text, spare }] : []);
  const counted = limit === undefined ? '' : ` of at most ${limit}`;
  return [
    ...part(0, `${pages} page${pages === 1 && limit === undefined ? '' : 's'}${counted}`),
    ...part(6, `${unchanged} unchanged`, unchanged > 0),
    ...part(7, `${resources} resource${resources === 1 ? '' : 's'}`, resources > 0),
    ...part(4, formatSize(bytes)),
    ...part(failed > 0 ? 2 : 8, `${failed} failed`),
    ...part(3, `${pending} waiting`),
    ...part(5, `${rate.toFixed(1)}/s`),
    ...(pause ? part(1, `${pause.host} is not asked before ${formatDuration(pause.left)} are over`) : []),
    ...part(1, timeWords(progress), !pause && progress.timeLeft !== undefined && pending > 0),
  ];
}

function timeWords({ timeLeft = 0, bound }: Progress): string {
  const about = `about ${formatDuration(timeLeft)}`;
  if (bound === 'page-limit') return `${about} to the page limit`;
  return bound === 'time-limit' ? `${about} to the time limit` : `${about} for what is known`;
}
