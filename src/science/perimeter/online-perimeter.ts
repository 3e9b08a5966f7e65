/**
 * A perimeter judged while a crawl discovers it: each page as it is read, each link as a suspect before it is (French web 2002,
 * §2.4). What is known of a URL is what its criteria say and what links have brought it (site-flow.ts): no graph, no text.
 *
 *   unknown ──a page names it──▶ suspect ──believed to belong──▶ joined ──▶ read
 *
 * A suspect joins when its chance reaches the threshold, or a person says so; each further page that links to it may raise it.
 * Pages that do not belong hand their relevance on like all others, and their links are followed while these lead no further
 * than `depth` clicks from the last page that did belong.
 *
 * What arrives at a page after it was read waits there (propagation.ts), and `release` hands on the largest amounts: until then a
 * mean over two clicks covers only the pages whose relevance has come through.
 *
 * Memory: the URL, and 16 + 16·(4n + 2) bytes, n the depth.
 */
import type { Decisions } from '../../model/decisions.ts';
import type { Evidence, PerimeterStanding, Suspect } from '../../model/perimeter.ts';
import type { Millis } from '../../model/time.ts';
import type { PerimeterDefinition } from './definition.ts';
import { evidenceOf, reweighed } from './evidence.ts';
import { KnownUrls } from './known-urls.ts';
import type { PageFacts } from './page-facts.ts';
import { SiteFlow } from './site-flow.ts';
import { standingOf } from './standing.ts';
import { judgeEvidence, type PerimeterVerdict, statedCoefficients } from './verdict.ts';

/** A page that was read, with what it links to except itself. */
export interface ReadPage {
  readonly facts: PageFacts;
  readonly links: readonly string[];
  /** The links it had when it was read before. */
  readonly linksBefore?: readonly string[];
  /** Consecutive pages on the way to it that do not belong. */
  readonly hops: number;
}

/** A URL as judged before. */
export type StoredUrl = Pick<Suspect, 'url' | 'evidence' | 'hops' | 'chance' | 'inside' | 'at'>;

/** What is known of a URL before it is read: called once, when it is first named. */
export type SuspectFacts = (url: string) => PageFacts;

export interface Reading {
  readonly standing: PerimeterStanding;
  /** Per link, in order: whether it has joined, now or before. Absent if all of them had joined before. */
  readonly admits?: readonly boolean[];
  /** Linked URLs that join now. */
  readonly joined: readonly Suspect[];
  /** Linked URLs that do not join, and whose chance is new or has changed. */
  readonly suspects: readonly Suspect[];
}

/** Smallest change of a suspect's chance that is worth storing. */
const WORTH_TELLING = 0.05;

interface Unread {
  /** From its address and links; from its content, if an earlier crawl read it. */
  readonly evidence: readonly Evidence[];
  hops: number;
  /** Its chance when last reported. */
  told: number;
  /** An earlier crawl read it, and it belonged then. */
  readonly belonged?: boolean;
}

export class OnlinePerimeter {
  readonly definition: PerimeterDefinition;
  readonly #decisions: Decisions;
  readonly #flow: SiteFlow;
  readonly #coefficients;
  readonly #urls = new KnownUrls();
  readonly #unread = new Map<number, Unread>();
  readonly #joined = new Set<number>();
  /** Pages whose relevance is handed on. */
  readonly #read = new Set<number>();

  constructor(definition: PerimeterDefinition, decisions: Decisions) {
    this.definition = definition;
    this.#decisions = decisions;
    this.#flow = new SiteFlow(definition.connectivity.length, this.#urls.sites);
    this.#coefficients = statedCoefficients(definition);
  }

  /** Number of clicks over which relevance is handed on. */
  get depth(): number {
    return this.#flow.depth;
  }

  /** Restores a page as an earlier crawl, or an earlier run of this one, read it. */
  restoreRead(page: StoredUrl, links: readonly string[]): void {
    const { url, hops, chance, inside: belonged, at } = page;
    const id = this.#urls.numberOf(url);
    // By today's weights and decisions, whichever it was read under.
    const evidence = reweighed(page.evidence, this.definition);
    this.#unread.set(id, { evidence, hops, told: chance, belonged });
    this.#read.add(id);
    this.#flow.read(id, this.#verdict(url, evidence, undefined, at).own, this.#idsOf(links));
  }

  restoreSuspect({ url, evidence, hops, chance }: Omit<StoredUrl, 'inside' | 'at'>): void {
    this.#unread.set(this.#urls.numberOf(url), {
      evidence: reweighed(evidence, this.definition),
      hops,
      told: chance,
    });
  }

  /** Pages that belonged when they were read, but do not by what is known now, so this crawl has not read them. */
  *fallen(now: Millis): Generator<Suspect> {
    for (const [id, one] of this.#unread) {
      if (!one.belonged || this.#joined.has(id)) continue;
      const suspect = this.#suspect(id, one, now);
      if (!suspect.inside && suspect.decided === undefined) yield suspect;
    }
  }

  /** It is in the frontier of this crawl. */
  restoreJoined(facts: PageFacts): void {
    const id = this.#urls.numberOf(facts.url);
    this.#joined.add(id);
    if (!this.#unread.has(id) && !this.#read.has(id))
      this.#unread.set(id, {
        evidence: this.addressEvidence(facts),
        hops: 0,
        told: Number.NEGATIVE_INFINITY,
      });
  }

  /** It redirects: what links have brought it, and will bring, belongs to the page it leads to. */
  moved(url: string, to: string): void {
    this.forget(url);
    const numbers = this.#urls.move(url, to);
    if (numbers) this.#flow.merge(numbers.from, numbers.to);
  }

  /** It turned out to be nothing that could belong. */
  forget(url: string): void {
    const id = this.#urls.find(url);
    if (id !== undefined) this.#unread.delete(id);
  }

  /** Whether a page that was read names it, or is it. */
  knows(url: string): boolean {
    return this.#urls.find(url) !== undefined;
  }

  hasJoined(url: string): boolean {
    const id = this.#urls.find(url);
    return id !== undefined && this.#joined.has(id);
  }

  wasRead(url: string): boolean {
    const id = this.#urls.find(url);
    return id !== undefined && this.#read.has(id);
  }

  read({ facts, links, linksBefore, hops }: ReadPage, suspectFacts: SuspectFacts, now: Millis): Reading {
    this.#urls.staysAt(facts.url);
    const id = this.#urls.numberOf(facts.url);
    const verdict = this.#verdict(facts.url, evidenceOf(facts, this.definition), id, now);
    this.#unread.delete(id);
    this.#joined.add(id);
    const before = linksBefore && this.#read.has(id) ? this.#idsOf(linksBefore) : undefined;
    this.#read.add(id);
    const targets: number[] = [];
    let isAllKnown = true;
    for (const link of links) {
      const target = this.#urls.numberOf(link);
      targets.push(target);
      isAllKnown &&= this.#joined.has(target);
    }
    this.#flow.read(id, verdict.own, targets, before);
    const standing = standingOf(verdict, this.definition.name, hops);
    if (isAllKnown) return { standing, joined: [], suspects: [] };
    const linkHops = verdict.inside ? 0 : hops + 1;
    const judged = this.#judged(targets, linkHops, suspectFacts, now);
    return { standing, admits: targets.map((target) => this.#joined.has(target)), ...judged };
  }

  /** Pages holding relevance that came after they were read, most first. */
  waiting(most: number): readonly string[] {
    return this.#flow
      .waiting()
      .slice(0, most)
      .map((id) => this.#urls.urlOf(id));
  }

  /** Hands on what waits at a page; returns the suspects among its links, judged again. */
  release(url: string, links: readonly string[], now: Millis): Pick<Reading, 'joined' | 'suspects'> {
    const targets = this.#idsOf(links);
    this.#flow.release(this.#urls.numberOf(url), targets);
    return this.#judged(targets, Number.POSITIVE_INFINITY, undefined, now);
  }

  /** Suspects that a person now says belong. */
  decidedIn(now: Millis): readonly Suspect[] {
    const found: Suspect[] = [];
    for (const [id, unread] of this.#unread) {
      if (this.#joined.has(id) || this.#decided(id, now)?.act.kind !== 'in') continue;
      this.#joined.add(id);
      found.push(this.#suspect(id, unread, now));
    }
    return found;
  }

  /** How it would be judged now: as a page that was read, as a suspect, or by its address if nothing named it. */
  standing(facts: PageFacts, now: Millis): PerimeterStanding {
    const id = this.#urls.find(facts.url);
    const known = id === undefined ? undefined : this.#unread.get(id);
    const evidence = known?.evidence ?? this.addressEvidence(facts);
    const verdict = this.#verdict(facts.url, evidence, id, now);
    return standingOf(verdict, this.definition.name, known?.hops ?? 0);
  }

  addressEvidence({ url, host, domain }: PageFacts): readonly Evidence[] {
    return evidenceOf({ url, host, domain }, this.definition);
  }

  /** URLs that joined and were not read: reported at the end of a crawl, since most are read soon. */
  *joinedUnread(now: Millis): Generator<Suspect> {
    for (const [id, one] of this.#unread)
      if (this.#joined.has(id) && !this.#read.has(id)) yield this.#suspect(id, one, now);
  }

  /** All URLs named and not read, in the frontier or not. */
  unread(now: Millis): Suspect[] {
    return [...this.#unread].flatMap(([id, one]) =>
      this.#read.has(id) ? [] : [this.#suspect(id, one, now)],
    );
  }

  #judged(
    targets: readonly number[],
    hops: number,
    suspectFacts: SuspectFacts | undefined,
    now: Millis,
  ): Pick<Reading, 'joined' | 'suspects'> {
    const joined: Suspect[] = [];
    const suspects: Suspect[] = [];
    // A link repeated on the page is judged twice, and reported once: its chance is the same.
    for (const id of targets) {
      if (this.#joined.has(id)) continue;
      const unread = this.#unreadAt(id, hops, suspectFacts);
      if (!unread) continue;
      unread.hops = Math.min(unread.hops, hops);
      const suspect = this.#suspect(id, unread, now);
      const isDecided = suspect.decided !== undefined;
      if (suspect.inside && (isDecided || suspect.hops <= this.depth)) {
        this.#joined.add(id);
        unread.told = suspect.chance;
        joined.push(suspect);
      } else if (Math.abs(suspect.chance - unread.told) >= WORTH_TELLING) {
        unread.told = suspect.chance;
        suspects.push(suspect);
      }
    }
    return { joined, suspects };
  }

  #unreadAt(id: number, hops: number, suspectFacts: SuspectFacts | undefined): Unread | undefined {
    const known = this.#unread.get(id);
    if (known || !suspectFacts) return known;
    const evidence = evidenceOf(suspectFacts(this.#urls.urlOf(id)), this.definition);
    const unread = { evidence, hops, told: Number.NEGATIVE_INFINITY };
    this.#unread.set(id, unread);
    return unread;
  }

  #suspect(id: number, { evidence, hops }: Unread, now: Millis): Suspect {
    const url = this.#urls.urlOf(id);
    const verdict = this.#verdict(url, evidence, id, now);
    return { url, at: now, ...standingOf(verdict, this.definition.name, hops) };
  }

  #verdict(
    url: string,
    evidence: readonly Evidence[],
    id: number | undefined,
    now: Millis,
  ): PerimeterVerdict {
    const { verdict: decision } = this.#decisions.on(url, now);
    const means = id === undefined ? this.definition.connectivity.map(() => 0) : this.#flow.means(id);
    return judgeEvidence(evidence, means, this.definition, this.#coefficients, decision);
  }

  #decided(id: number, now: Millis) {
    return this.#decisions.on(this.#urls.urlOf(id), now).verdict;
  }

  #idsOf(urls: readonly string[]): number[] {
    return urls.map((url) => this.#urls.numberOf(url));
  }
}
