import { EXIT } from './exit-codes.ts';

/**
 * Ctrl-C once: finish what is under way and stop cleanly. Twice: leave at once; the archive is crash-safe,
 * so that costs only the pages in hand.
 */
export function onInterrupt(message: string): { signal: AbortSignal; dispose(): void } {
  const controller = new AbortController();
  const handle = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    process.stderr.write(`\n${message}\n`);
    controller.abort();
  };
  process.on('SIGINT', handle);
  process.on('SIGTERM', handle);
  return {
    signal: controller.signal,
    dispose() {
      process.off('SIGINT', handle);
      process.off('SIGTERM', handle);
    },
  };
}
