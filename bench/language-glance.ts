/**
 * What a glance at a page's text says about its language, compared with a look at all the text that is read:
 * `npx tsx bench/language-glance.ts FOLDER`, of HTML files.
 *
 * Each page is looked at as by a crawl with a perimeter that expects the declared language, and again with no expectation. If the two
 * answers differ, either the glance was wrong or the long look.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredLanguage, runningText } from '../src/capture/html/running-text.ts';
import { openLanguageIdentifier } from '../src/capture/language/cld3-identifier.ts';
import { PerimeterFacts } from '../src/stages/perimeter-facts.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder of HTML files');
const identifier = await openLanguageIdentifier();
let [short, long] = [0, 0];
const languages = {
  identify: (text: string) => {
    if (text.length <= 100) short++;
    else long++;
    return identifier.identify(text);
  },
};
const addressFacts = (url: string) => ({ url, host: new URL(url).host, domain: new URL(url).host });
const asks = { languages: { other: 1 }, topics: [], commercial: 0 };

const counts = { pages: 0, declared: 0, 'enough at a glance': 0, 'other than in whole': 0 };
const others = new Map<string, number>();
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.html'),
);
for (const file of files.sort()) {
  const html = readFileSync(join(folder, file), 'utf8');
  const text = runningText(html, 2000);
  const declared = declaredLanguage(html);
  // On an unrelated host, so that nothing is assumed and nothing remembered.
  const look = (expected: string | undefined) =>
    new PerimeterFacts({ languages, addressFacts }, asks).ofPage(
      { url: 'https://example.org/' },
      { declared: expected, text: () => text, linkWords: () => undefined },
    ).language;
  counts.pages++;
  if (declared === undefined) continue;
  counts.declared++;
  const whole = look(undefined);
  [short, long] = [0, 0];
  const glanced = look(declared);
  if (short > 0 && long === 0) counts['enough at a glance']++;
  if (glanced?.code === whole?.code) continue;
  counts['other than in whole']++;
  const which = `${declared} declared, ${glanced?.code} at a glance, ${whole?.code} in whole`;
  others.set(which, (others.get(which) ?? 0) + 1);
}
process.stdout.write(
  `${Object.entries({ ...counts, ...Object.fromEntries(others) })
    .map(([what, n]) => `${n}\t${what}`)
    .join('\n')}\n`,
);
