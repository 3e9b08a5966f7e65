import { isSpace } from './css-urls.ts';

/** URLs of a `srcset`, as written. Commas end a candidate only after its URL: data URLs contain commas. */
export function parseSrcset(value: string): string[] {
  const urls: string[] = [];
  let at = 0;
  while (at < value.length) {
    while (at < value.length && (value[at] === ',' || isSpace(value.charCodeAt(at)))) at++;
    const start = at;
    while (at < value.length && !isSpace(value.charCodeAt(at))) at++;
    if (at === start) break;
    let end = at;
    while (end > start && value.charCodeAt(end - 1) === 44) end--;
    if (end > start) urls.push(value.slice(start, end));
    // A comma at the URL's end closes the candidate; else its descriptors follow, up to the next comma.
    if (end < at) continue;
    let depth = 0;
    for (; at < value.length; at++) {
      const code = value.charCodeAt(at);
      if (code === 40) depth++;
      else if (code === 41) depth--;
      else if (code === 44 && depth <= 0) break;
    }
  }
  return urls;
}
