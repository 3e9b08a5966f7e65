/** How a page uses a URL: links to it, shows it as a picture, or shows its document in a frame. */
export type AdUse = 'link' | 'image' | 'frame';

/** Recognises advertisements by public filter lists. */
export interface AdRecogniser {
  /** Titles and dates of the lists; empty when there is none and nothing will be recognised. */
  readonly lists: readonly string[];
  /** `pageUrl` is the page that shows it: some rules apply on some sites only. */
  isAdvertisement(url: string, pageUrl: string, use: AdUse): boolean;
  /** CSS selectors of what the lists hide on a page that has these classes, ids and link targets. */
  hidden(pageUrl: string, seen: SeenNames): readonly string[];
}

export interface SeenNames {
  readonly classes: readonly string[];
  readonly ids: readonly string[];
  readonly hrefs: readonly string[];
}
