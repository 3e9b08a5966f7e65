/**
 * Archived pages have origins of their own, which are other sites than the web page's: browsers that block third-party
 * cookies let no service worker run there either.
 */
const REFUSED =
  'This browser blocks third-party cookies, and with them the service worker that replay needs. Open the archive outside a private window, or allow third-party cookies for its address (in Chromium: Settings, Privacy and security, Third-party cookies, Sites allowed). “As stored” shows the page without it.';

/** Chromium has `NotSupportedError` here, Firefox `SecurityError`. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DOMException && ['NotSupportedError', 'SecurityError'].includes(error.name);

/** Registers the service worker of this origin and waits until it answers for the page. */
export async function activeWorker(container: ServiceWorkerContainer | undefined): Promise<void> {
  if (!container) {
    throw new Error(
      'This browser allows no service worker here, and replay needs one. Open the archive by http://127.0.0.1 or by https, outside a private window.',
    );
  }
  try {
    await container.register('/sw.js', { scope: '/', updateViaCache: 'none' });
  } catch (error) {
    throw isRefusal(error) ? new Error(REFUSED) : error;
  }
  const { active } = await container.ready;
  if (!active) throw new Error('The service worker did not start: reload the page.');
}
