import { parse } from 'tldts';
import type { PageFacts } from '../../science/perimeter/page-facts.ts';

/**
 * What a URL alone tells, by the public suffix list; `example.org/a` is taken as http. Undefined for what is not a web
 * address.
 */
export function addressFacts(text: string): PageFacts | undefined {
  const full = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (/\s/.test(text) || !URL.canParse(full)) return undefined;
  const { hostname } = new URL(full);
  // With private suffixes: names that a provider gives to its customers (`name.github.io`) are domains of
  // their own.
  const { domain } = parse(hostname, { allowPrivateDomains: true });
  return { url: text, host: hostname, domain: domain ?? hostname };
}
