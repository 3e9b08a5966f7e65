/** Which sheets a style sheet imports, and whether for some screens only. */
import { rawCssUrls } from './css-urls.ts';

export interface CssImport {
  /** As written. */
  readonly url: string;
  /** It has a media query: a browser loads the sheet but not what it names. */
  readonly isForSome: boolean;
}

/** Imports come at the beginning; elsewhere a browser ignores them, and finding one is harmless here. */
const IMPORT =
  /\/\*|@import\s*((?:url\(\s*)?(?:"[^"\n]{0,4000}"|'[^'\n]{0,4000}'|[^\s"'();]{0,4000})\s*\)?)([^;{}]{0,2000})/gi;

export function cssImports(css: string): readonly CssImport[] {
  const found: CssImport[] = [];
  IMPORT.lastIndex = 0;
  for (let match = IMPORT.exec(css); match; match = IMPORT.exec(css)) {
    const [token, name = '', rest = ''] = match;
    if (token === '/*') {
      const end = css.indexOf('*/', IMPORT.lastIndex);
      if (end < 0) break;
      IMPORT.lastIndex = end + 2;
      continue;
    }
    const [url] = rawCssUrls(`@import ${name}`);
    if (url !== undefined) found.push({ url, isForSome: isQuery(rest) });
  }
  return found;
}

/** Whether anything is left of the conditions once layers and features are removed. */
function isQuery(rest: string): boolean {
  const query = rest
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/\blayer\b(?:\([^)]*\))?/gi, ' ')
    .replace(/\bsupports\((?:[^()]|\([^()]*\))*\)/gi, ' ')
    .trim();
  return query !== '' && query.toLowerCase() !== 'all';
}
