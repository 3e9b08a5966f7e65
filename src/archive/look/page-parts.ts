import { cacheFolder } from '../cache-folder.ts';

/** Ports for callers that show pages of their own, one by one: the lab's sets of saved pages. */
export { givenHtml, openPageViewer } from '../../capture/browser/index.ts';

export async function openAdRecogniser() {
  const { openRecogniser } = await import('../../capture/ads/index.ts');
  return openRecogniser({ cacheFolder: cacheFolder() });
}
