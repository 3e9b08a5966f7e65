import { activeWorker } from './active-worker.ts';
import { container } from './container.ts';
import './guard.ts';

/**
 * Stands in for a frame of another site than the page around it, on a host that has no service worker yet: brings
 * the worker, then asks again for the same address, which the worker answers.
 */
async function enter(): Promise<void> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation?.type === 'reload') throw new Error('The service worker does not answer: reload the page.');
  await activeWorker(container);
  location.reload();
}

enter().catch((error: unknown) => {
  const status = document.getElementById('status');
  if (status) status.textContent = error instanceof Error ? error.message : String(error);
});
