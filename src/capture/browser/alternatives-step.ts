/**
 * What the page would load on another screen: the other candidates of its pictures, backgrounds for other widths, posters
 * and films, preloads. Taken from its DOM at the end of the visit, and from the style sheets it loaded.
 */
import { textOf } from '../../model/body.ts';
import { PICTURE_ATTRIBUTE } from '../../model/picture-attributes.ts';
import { cssImports } from '../html/css-imports.ts';
import { rawCssUrls, resolved, resourceResolver } from '../html/css-urls.ts';
import { screenUrls } from '../html/screen-urls.ts';
import { parseSrcset } from '../html/srcset.ts';
import type { PageVisit } from './page-visit.ts';
import { within } from './within.ts';

/** What one document names, as written. */
interface Named {
  readonly base: string;
  readonly urls: readonly string[];
  readonly srcsets: readonly string[];
  /** Rules of style sheets that have no address of their own. */
  readonly css: readonly string[];
  /** Addresses of style sheets that are for some screens only. */
  readonly sheets: readonly string[];
}

/** Names handed over per document; the crawl's own limit on what is requested is lower. */
const MOST = 20_000;
/** UTF-16 units of one value: a long `srcset` has a few thousand. */
const LONGEST = 64 * 1024;
/** Limit on the rules handed over, in UTF-16 units, and on one style sheet that is read, in bytes. */
const MOST_CSS = 4 * 1024 * 1024;

/** Wraps the rules of a style element that is for some screens only. */
const FOR_SOME = '@media x {';

/** Runs in an isolated world, like all our scripts. A document without such rules costs one walk over its elements. */
const NAMED = `(() => {
  const urls = new Set(), srcsets = new Set(), css = [], sheets = new Set();
  const picture = new RegExp(${JSON.stringify(PICTURE_ATTRIBUTE)});
  let room = ${MOST_CSS};
  const rules = (list) => {
    for (const sheet of list) {
      const media = sheet.media && sheet.media.mediaText;
      if (sheet.href) { if (media && media !== 'all') sheets.add(sheet.href); continue; }
      let all;
      try { all = sheet.cssRules; } catch { continue; }
      for (const rule of all) {
        const text = rule.cssText;
        if (!/url\\(|image-set\\(/i.test(text) || (room -= text.length) < 0) continue;
        css.push(media && media !== 'all' ? '${FOR_SOME}' + text + '}' : text);
      }
    }
  };
  const add = (set, value) => { if (value && value.length < ${LONGEST} && set.size < ${MOST}) set.add(value); };
  const visit = (root) => {
    rules(root.styleSheets || []);
    rules(root.adoptedStyleSheets || []);
    for (const node of root.querySelectorAll('img,source,video,audio,track,link,input[type=image],image')) {
      const tag = node.localName;
      if (tag === 'link') {
        if (/(?:^|\\s)(?:preload|modulepreload)(?:\\s|$)/i.test(node.getAttribute('rel') || '')) {
          add(urls, node.getAttribute('href'));
          add(srcsets, node.getAttribute('imagesrcset'));
        }
        continue;
      }
      if (tag === 'video') add(urls, node.getAttribute('poster'));
      for (const { name, value } of node.attributes) {
        if (!picture.test(name)) continue;
        if (name.includes('srcset')) add(srcsets, value);
        else if (name === 'src') add(urls, value);
      }
    }
    for (const node of root.querySelectorAll('[style*="image-set("]')) {
      const style = node.getAttribute('style');
      if ((room -= style.length) >= 0) css.push('p {' + style + '}');
    }
    for (const node of root.querySelectorAll('*')) if (node.shadowRoot) visit(node.shadowRoot);
  };
  try { visit(document); } catch {}
  return JSON.stringify({ base: document.baseURI, urls: [...urls], srcsets: [...srcsets], css, sheets: [...sheets] });
})()`;

/** Step: runs after the page was read, when its scripts have added what they add. */
export async function alternatives(visit: PageVisit): Promise<void> {
  const { onAlternatives } = visit.request;
  if (!onAlternatives || !visit.state.isShown) return;
  const { log } = visit.recorder;
  const named = await namedByDocuments(visit);
  const loaded = await styleSheets(visit);
  const some = sheetsForSome(named, loaded);
  const urls = new Set<string>();
  const add = (raw: Iterable<string>, base: string): void => {
    for (const url of resolved(raw, resourceResolver(base))) if (urls.size < MOST) urls.add(url);
  };
  for (const { base, urls: plain, srcsets, css } of named) {
    const raw = [...plain, ...candidates(srcsets), ...css.flatMap(screenUrls)];
    add(raw, base);
  }
  for (const [url, text] of loaded) add(some.has(url) ? rawCssUrls(text) : screenUrls(text), url);
  if (urls.size >= MOST) visit.facts.add(`only the first ${MOST} names for other screens were looked at`);
  for (const url of log.asked) urls.delete(url);
  onAlternatives([...urls]);
}

/** The text of each sheet that arrived. */
async function styleSheets({ recorder }: PageVisit): Promise<ReadonlyMap<string, string>> {
  const sheets = new Map<string, string>();
  for (const { url, body } of recorder.log.cameAs('stylesheet'))
    if (body.size <= MOST_CSS) sheets.set(url, await textOf(body));
  return sheets;
}

/** Sheets for some screens only, by an attribute or by the condition of an import, and everything they import. */
function sheetsForSome(named: readonly Named[], loaded: ReadonlyMap<string, string>): ReadonlySet<string> {
  const some = new Set(named.flatMap(({ sheets }) => sheets));
  const importsOf = (css: string, base: string, isWholly: boolean): ReadonlySet<string> =>
    resolved(
      cssImports(css).flatMap(({ url, isForSome }) => (isWholly || isForSome ? [url] : [])),
      resourceResolver(base),
    );
  for (const { base, css } of named)
    for (const rule of css) for (const url of importsOf(rule, base, rule.startsWith(FOR_SOME))) some.add(url);
  for (const [url, text] of loaded) for (const one of importsOf(text, url, false)) some.add(one);
  // Iterating a set also visits what is added during the iteration.
  for (const url of some) for (const one of importsOf(loaded.get(url) ?? '', url, true)) some.add(one);
  return some;
}

/** Stops early: thousands of long ones would expand to millions. */
function candidates(srcsets: readonly string[]): string[] {
  const found: string[] = [];
  for (const srcset of srcsets) {
    if (found.length >= MOST) break;
    for (const url of parseSrcset(srcset)) found.push(url);
  }
  return found;
}

async function namedByDocuments(visit: PageVisit): Promise<readonly Named[]> {
  const { tab } = visit;
  const answers = await Promise.all(
    [[tab.targetId, tab.main] as const, ...visit.innerFrames].map(([id, session]) =>
      // A frame may go away, or hang, while it is asked.
      within(visit.patience(), visit.evaluate(session, id, NAMED)).catch(() => undefined),
    ),
  );
  const named = answers.flatMap((answer) => (answer === undefined ? [] : [JSON.parse(answer) as Named]));
  const silent = answers.length - named.length;
  if (silent > 0)
    visit.facts.add(`${silent} of ${answers.length} documents did not tell what they name for other screens`);
  return named;
}
