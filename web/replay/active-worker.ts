/** Registers the service worker of this origin and waits until it answers for the page. */
export async function activeWorker(container: ServiceWorkerContainer | undefined): Promise<void> {
  if (!container) {
    throw new Error(
      'This browser allows no service worker here, and replay needs one. Open the archive by http://127.0.0.1 or by https, outside a private window.',
    );
  }
  await container.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  const { active } = await container.ready;
  if (!active) throw new Error('The service worker did not start: reload the page.');
}
