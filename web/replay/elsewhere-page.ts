import { ELSEWHERE } from './messages.ts';

/** The guard's script, put in by the build. */
declare const GUARD: string;

/**
 * Stands where a frame is led to another site, by a link, a form or a script. Nothing in the request says whether
 * the frame is the one that shows the page, or one inside that page: the answer finds out where it is. A frame inside
 * the page goes on to the host of that site. The page itself waits for the loader, which has the whole view moved.
 */
export function elsewherePage(target: string): string {
  const literal = JSON.stringify(target).replace(/</gu, '\\u003c');
  return `<!doctype html><html><head><meta charset="utf-8"><meta name="daguerre-replay" content="${ELSEWHERE}">
<title></title><script>${GUARD}</script><script>
(() => {
  let isPage = false;
  try { isPage = parent.location.pathname === '/'; } catch { /* The frame of another site's page. */ }
  if (!isPage) location.replace(${literal});
})();
</script></head><body></body></html>`;
}
