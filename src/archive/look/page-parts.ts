import { openRecogniser } from '../../capture/ads/index.ts';
import { cacheFolder } from '../cache-folder.ts';

/** Ports for whoever shows pages of their own, one by one: the lab's sets of saved pages. */
export { givenHtml, openPageViewer } from '../../capture/browser/index.ts';

export const openAdRecogniser = () => openRecogniser({ cacheFolder: cacheFolder() });
