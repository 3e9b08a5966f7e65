import { LIVE_TABS } from '../../capture/browser/index.ts';
import type { LiveVisit } from '../../ports/live-tabs.ts';

/** What the browsers of a process that writes to an archive show now. */
export interface TabsNow {
  readonly visits: readonly LiveVisit[];
  /** JPEG in base64; absent where none was requested, or nothing is visible. */
  readonly picture?: { readonly url: string; readonly data: string };
}

export async function lookAtTabs(url: string | undefined, withPicture: boolean): Promise<TabsNow> {
  const taken = withPicture ? await LIVE_TABS.picture(url) : undefined;
  return {
    visits: LIVE_TABS.visits(),
    ...(taken && { picture: { url: taken.url, data: Buffer.from(taken.bytes).toString('base64') } }),
  };
}
