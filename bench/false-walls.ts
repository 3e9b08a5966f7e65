/**
 * Real pages that are mistaken for walls, rate limits or error pages: each is named, and all are counted, together with the time that
 * detection takes. Each link of a page to another host is also treated as a redirect target, as if the page had moved: how many of
 * these addresses pass for a login or a request for consent.
 *
 *   npx tsx bench/false-walls.ts DIR    every .html file below DIR
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractLinks } from '../src/capture/html/links.ts';
import { runningText } from '../src/capture/html/running-text.ts';
import { behindRedirect } from '../src/science/answers/door-marks.ts';
import { looksMissing } from '../src/science/answers/missing-page.ts';
import { recogniseAnswer } from '../src/science/answers/recognise-answer.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which folder? npx tsx bench/false-walls.ts DIR');
let pages = 0;
let verdicts = 0;
let suspected = 0;
let time = 0;
let targets = 0;
let doors = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.html?$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const html = readFileSync(file, 'utf8');
  const url = `https://example.org/${encodeURIComponent(entry.name)}`;
  const { title, links } = extractLinks(html, url);
  const begun = performance.now();
  const text = runningText(html, 3000);
  const answer = { url, status: 200, headers: [], html, title, text, links: links.length };
  const verdict = recogniseAnswer(answer);
  const isSuspected = !verdict && looksMissing(answer);
  time += performance.now() - begun;
  pages++;
  for (const target of links) {
    if (!URL.canParse(target) || new URL(target).host === 'example.org') continue;
    targets++;
    const door = behindRedirect({ url, target });
    if (!door) continue;
    doors++;
    console.log(`${door.kind}, were it a redirect: ${file}: ${target}`);
  }
  if (verdict) console.log(`${verdict.kind}: ${file}: ${verdict.evidence}`);
  if (isSuspected) console.log(`would be compared with the error page of its host: ${file}: ${title}`);
  if (verdict) verdicts++;
  if (isSuspected) suspected++;
}
console.log(
  `${pages} pages: ${verdicts} verdicts, ${suspected} suspected soft 404s, ${((1000 * time) / pages).toFixed(0)} µs a page`,
);
console.log(`${targets} links to other hosts, taken for redirects: ${doors} doors`);
