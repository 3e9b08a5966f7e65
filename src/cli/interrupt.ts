import { setMaxListeners } from 'node:events';
import { EXIT } from './exit-codes.ts';
import { say } from './status-line.ts';

/**
 * Ctrl-C once: finish what is under way and stop cleanly. Twice: leave at once; the archive is crash-safe, so
 * that costs only the pages in hand.
 */
export function onInterrupt(message: string): { signal: AbortSignal; stop(): void; dispose(): void } {
  const controller = new AbortController();
  // Every request under way listens to it: this is not a leak.
  setMaxListeners(0, controller.signal);
  const stop = (): void => {
    if (controller.signal.aborted) return;
    say(process.stderr, message);
    controller.abort();
  };
  const handle = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    stop();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return {
    signal: controller.signal,
    stop,
    dispose() {
      process.off('SIGINT', handle);
      process.off('SIGTERM', handle);
    },
  };
}

/** Resolves once the signal is aborted. */
export async function interrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
