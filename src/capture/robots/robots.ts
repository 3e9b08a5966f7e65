/**
 * robots.txt by RFC 9309, with `Crawl-delay` and `Sitemap` as extensions. Why it is our own: decisions/0007.
 *
 * Groups: consecutive User-agent lines open one, the rules that follow belong to all of them; groups of the
 * same agent are merged; lines of other kinds neither open nor close a group (§2.2.4). Crawl-delay belongs to
 * the agents named just above it. Agents are compared by product token, ignoring case; the groups of `*`
 * count only for agents that have none of their own.
 *
 * Lenient where the intent is clear: missing colons, common misspellings, several agents separated by commas,
 * `<br>` at the end of lines, byte order marks, UTF-16.
 */
import { byPrecedence, compileRule, decisiveRule, normaliseOctets, type Rule } from './rules.ts';

export interface RobotsVerdict {
  readonly allowed: boolean;
  /** The rule that decided, as written; absent where no rule matches. */
  readonly rule?: string;
  /** Its 1-based line. */
  readonly line?: number;
}

export interface Robots {
  /** @param agent product token (`Daguerre`) or a whole User-Agent header value */
  allows(url: string, agent: string): RobotsVerdict;
  /** Milliseconds. */
  crawlDelay(agent: string): number | undefined;
  /** Absolute if the address of robots.txt was given; each once, in the order of the file. */
  readonly sitemaps: readonly string[];
  /** Sitemap lines that name no URL, as written. */
  readonly badSitemaps: readonly string[];
  /** The file is longer than what is read: rules further down are unknown. */
  readonly truncated: boolean;
}

/** RFC 9309 §2.5: at least 500 KiB are parsed. */
export const ROBOTS_SIZE_LIMIT = 500 * 1024;

interface Group {
  readonly rules: Rule[];
  crawlDelay?: number;
}

type Directive = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

/** Misspellings seen in the wild; the list is that of crawler-commons. */
const DIRECTIVES = new Map<string, Directive>();
for (const [directive, spellings] of Object.entries({
  'user-agent':
    'user-agent useragent useg-agent ser-agent users-agent user-agnet user-agents user_agent user%20agent',
  allow: 'allow alow allows',
  disallow:
    'disallow desallow dissallow dissalow disalow dssalow dsallow diasllow disallaw diallow disallows disllow',
  'crawl-delay': 'crawl-delay crawldelay clawl-delay craw-delay crawl_delay',
  sitemap: 'sitemap sitemaps site-map sitemap-url',
} satisfies Record<Directive, string>)) {
  for (const spelling of spellings.split(' ')) {
    DIRECTIVES.set(spelling.replace('%20', ' '), directive as Directive);
  }
}

/** @param address where the file was found: relative Sitemap lines are resolved against it */
export function parseRobots(content: Uint8Array | string, address?: string): Robots {
  const { octets, truncated } = decode(content);
  const groups = new Map<string, Group>();
  const sitemaps = new Set<string>();
  const badSitemaps: string[] = [];
  /** Agents of the group being read. */
  let current = new Set<Group>();
  /** Agents since the last Crawl-delay or rule: the ones a Crawl-delay applies to. */
  let named = new Set<Group>();
  let agentsOpen = false;
  let delayGiven = false;

  for (const [line, number] of lines(octets)) {
    const field = split(line);
    if (!field) {
      if (isSitemapUrl(line)) addSitemap(line);
      continue;
    }
    switch (field.directive) {
      case 'user-agent':
        if (!agentsOpen) current = new Set();
        if (!agentsOpen || delayGiven) named = new Set();
        agentsOpen = true;
        delayGiven = false;
        for (const token of agentTokens(field.value)) {
          const group = groupOf(token);
          current.add(group);
          named.add(group);
        }
        break;
      case 'allow':
      case 'disallow': {
        agentsOpen = false;
        // An empty path forbids nothing: §2.2.2 gives it no meaning, older drafts this one.
        if (field.value === '') break;
        const rule = compileRule(field.value, field.directive === 'allow', number);
        for (const group of current) group.rules.push(rule);
        named = current;
        break;
      }
      case 'crawl-delay': {
        delayGiven = true;
        const seconds = Number.parseFloat(field.value);
        if (!(seconds >= 0) || !Number.isFinite(seconds)) break;
        for (const group of named) group.crawlDelay = Math.round(seconds * 1000);
        break;
      }
      case 'sitemap':
        addSitemap(field.value);
    }
  }

  function groupOf(token: string): Group {
    let group = groups.get(token);
    if (!group) {
      group = { rules: [] };
      groups.set(token, group);
    }
    return group;
  }

  function addSitemap(value: string): void {
    const text = Buffer.from(value, 'latin1').toString('utf8');
    if (text !== '' && URL.canParse(text, address)) sitemaps.add(new URL(text, address).href);
    // Without an address a relative line cannot be resolved: passed on unchanged.
    else if (address === undefined && text !== '') sitemaps.add(text);
    else badSitemaps.push(text);
  }

  for (const group of groups.values()) group.rules.sort(byPrecedence);
  const groupFor = (agent: string): Group | undefined => groups.get(productToken(agent)) ?? groups.get('*');
  return {
    sitemaps: [...sitemaps],
    badSitemaps,
    truncated,
    crawlDelay: (agent) => groupFor(agent)?.crawlDelay,
    allows(url, agent) {
      const group = groupFor(agent);
      if (!group) return { allowed: true };
      const path = pathOf(url);
      // §2.2.2: "The /robots.txt URI is implicitly allowed."
      if (path === '/robots.txt') return { allowed: true };
      const rule = decisiveRule(group.rules, path);
      return rule ? { allowed: rule.allow, rule: rule.text, line: rule.line } : { allowed: true };
    },
  };
}

/**
 * The name by which a crawler is known in robots.txt: for `Mozilla/5.0 (compatible; Daguerre/0.1;
 * +https://…)` and for `Daguerre/0.1 (+https://…)` it is `daguerre`. Digits are accepted in addition to the
 * RFC's letters, `_`, `-`.
 */
export function productToken(userAgent: string): string {
  const compatible = /^mozilla\/[\d.]+ \([^)]*?\bcompatible; ?([\w-]+)/i.exec(userAgent);
  return (compatible?.[1] ?? /^[\w-]*/.exec(userAgent.trimStart())?.[0] ?? '').toLowerCase();
}

function agentTokens(value: string): string[] {
  const tokens: string[] = [];
  for (const part of value.split(',')) {
    const text = part.trim();
    if (/^\*(?:\s|$)/.test(text)) tokens.push('*');
    else {
      const token = /^[\w-]+/.exec(text)?.[0];
      if (token) tokens.push(token.toLowerCase());
    }
  }
  return tokens;
}

function split(line: string): { directive: Directive; value: string } | undefined {
  const colon = line.indexOf(':');
  let key = colon < 0 ? undefined : DIRECTIVES.get(line.slice(0, colon).trim().toLowerCase());
  let value = colon < 0 ? '' : line.slice(colon + 1);
  if (!key) {
    const space = line.search(/\s/);
    if (space < 0) return undefined;
    key = DIRECTIVES.get(line.slice(0, space).toLowerCase());
    value = line.slice(space + 1);
  }
  return key ? { directive: key, value: value.trim() } : undefined;
}

/** A sitemap's address on a line of its own, without the field name. */
function isSitemapUrl(line: string): boolean {
  return /^https?:\/\/\S+$/i.test(line) && /sitemap/i.test(line);
}

/** Lines without comments, markup and surrounding white space; empty ones are left out. */
function* lines(octets: string): Generator<[line: string, number: number]> {
  let number = 0;
  let at = 0;
  while (at < octets.length) {
    let end = at;
    while (end < octets.length && octets.charCodeAt(end) !== 10 && octets.charCodeAt(end) !== 13) end++;
    number++;
    let line = octets.slice(at, end);
    const comment = line.indexOf('#');
    if (comment >= 0) line = line.slice(0, comment);
    line = withoutMarkup(line.trim());
    if (line !== '') yield [line, number];
    at = end + (octets.charCodeAt(end) === 13 && octets.charCodeAt(end + 1) === 10 ? 2 : 1);
  }
}

function withoutMarkup(line: string): string {
  if (!line.endsWith('>')) return line;
  const open = line.lastIndexOf('<');
  return /^<\/?(?:br|p|pre|div)\b/i.test(line.slice(open)) ? line.slice(0, open).trimEnd() : line;
}

function pathOf(url: string): string {
  try {
    const parsed = new URL(url);
    return normaliseOctets(parsed.pathname + parsed.search);
  } catch {
    return '/';
  }
}

/** One character per byte, so that rules in any encoding are compared octet by octet. */
function decode(content: Uint8Array | string): { octets: string; truncated: boolean } {
  let bytes =
    typeof content === 'string'
      ? Buffer.from(content, 'utf8')
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) bytes = transcode(bytes, 'utf-16le');
  else if (bytes[0] === 0xfe && bytes[1] === 0xff) bytes = transcode(bytes, 'utf-16be');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
  if (bytes.byteLength <= ROBOTS_SIZE_LIMIT) return { octets: bytes.toString('latin1'), truncated: false };
  const head = bytes.subarray(0, ROBOTS_SIZE_LIMIT).toString('latin1');
  // The line cut by the limit would be a shorter, hence wider rule.
  const lastLine = Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r'));
  return { octets: head.slice(0, lastLine + 1), truncated: true };
}

function transcode(bytes: Buffer, from: 'utf-16le' | 'utf-16be'): Buffer {
  // Twice the limit: two bytes per character, and the rest is not read anyway.
  return Buffer.from(new TextDecoder(from).decode(bytes.subarray(0, 2 * ROBOTS_SIZE_LIMIT + 4)), 'utf8');
}
