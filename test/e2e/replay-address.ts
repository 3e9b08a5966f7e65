import { formatTimestamp } from '../../src/access/replay-url.ts';
import { hrefs } from '../../web/router.ts';

/** No name but our own is resolved: a request to any other goes nowhere. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--lang=en-US',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
];

export const replayAddress = (ui: string, url: string, at: number, still = false): string =>
  `${ui}/${hrefs.replay(url, formatTimestamp(at), still)}`;
