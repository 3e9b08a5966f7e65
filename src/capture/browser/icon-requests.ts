import type { CdpEvent } from './cdp-connection.ts';

/**
 * A full Chromium requests the icon of each page by itself, whether the page names one or not, for a tab strip that nobody sees; a
 * headless shell does not. Such a request is not made: otherwise an archive would depend on the browser at hand, and a page would
 * wait for, or lose, something it never asked for. Icons that a page names are fetched like its other resources
 * (../html/links.ts).
 *
 * Chromium has no type for them; nothing else of type `Other` asks for pictures.
 */
export function isIconRequest({
  resourceType,
  request,
}: Pick<CdpEvent<'Fetch.requestPaused'>, 'resourceType' | 'request'>): boolean {
  return resourceType === 'Other' && /^image\//.test(request.headers.Accept ?? '');
}
