import type { Crawl, CrawlSpec, FrontierEntry, RenderMode } from '../model/crawl.ts';
import { CaptureFault } from '../model/fault.ts';
import type { FoundTrap } from '../ports/scope.ts';
import type { Answer } from '../science/policy/answer.ts';
import { afterResponse } from '../science/policy/politeness.ts';
import { AskedBefore } from '../stages/choose-alternatives.ts';
import { createRedirectChains } from '../stages/redirect-chains.ts';
import { askRobots } from './ask-robots.ts';
import { pauseNote, trapNote } from './crawl-notes.ts';
import type { CrawlerOptions } from './crawler.ts';
import type { Host } from './host.ts';
import type { Hosts } from './hosts.ts';
import type { Ledger } from './ledger.ts';
import { missingPages } from './missing-pages.ts';
import { NamedPages } from './named-pages.ts';
import type { CrawlPorts } from './site-crawl.ts';
import type { StopSwitch } from './stop-switch.ts';
import { turnElsewhere } from './turn-elsewhere.ts';
import { nothingStored } from './visit/nothing-stored.ts';
import { visit } from './visit/visit.ts';

export interface EntryWorkOptions {
  readonly crawl: Crawl;
  readonly ports: CrawlPorts;
  readonly options: CrawlerOptions;
  readonly hosts: Hosts;
  readonly ledger: Ledger;
  readonly stop: StopSwitch;
  /** Visits of the crawl before this run. */
  readonly visited: number;
  /** Called when a host has answered. */
  readonly onAnswer: () => void;
  readonly tell: (note: string) => void;
}

/** What is done with one entry that has its turn, from the request to the commit. */
export class EntryWork {
  readonly #with: EntryWorkOptions;
  readonly #chains = createRedirectChains();
  readonly #named = new NamedPages();
  readonly #before = new AskedBefore();
  readonly #seedHosts: ReadonlySet<string>;
  /** Hosts whose wish to be left alone was told. */
  readonly #paused = new Set<string>();
  #batch: number;

  constructor(options: EntryWorkOptions) {
    this.#with = options;
    this.#batch = options.visited;
    const { seeds } = options.crawl.spec;
    this.#seedHosts = new Set(seeds.flatMap((seed) => (URL.canParse(seed) ? [new URL(seed).host] : [])));
  }

  async visit(host: Host, entry: FrontierEntry, crawlDelay: number | undefined): Promise<void> {
    const { crawl, ports, options, hosts, ledger, stop } = this.#with;
    const spec = asItsSeedSays(crawl.spec, ports.scope.renderOf(entry.url));
    const { order, rates, versions, inferences, gate, analysesLater = false } = options;
    host.begin();
    let answered = false;
    const onAnswer = (answer: Answer): void => {
      if (answered) return;
      answered = true;
      host.end();
      this.#answered(host, { ...answer, ...asked(entry) }, crawlDelay);
      this.#with.onAnswer();
    };
    try {
      const context = {
        spec,
        order,
        rates,
        versions,
        inferences,
        analysesLater,
        known: hosts.known,
        ...(gate && { gate }),
        room: hosts.room,
        named: this.#named,
        chains: this.#chains,
        before: this.#before,
        missing: missingPages({
          spec,
          manners: host.manners,
          ports,
          pause: Math.max(spec.politeness.delay, crawlDelay ?? 0),
          signal: stop.signal,
        }),
        batch: this.#batch++,
        onAnswer,
        onTrap: (trap: FoundTrap) => this.#with.tell(trapNote(trap)),
        signal: stop.signal,
      };
      await ledger.settle(host, entry, await visit(entry, { ports, context }));
    } catch (error) {
      if (!stop.gaveUp(error)) throw error;
      // Given up when the grace was over: it was not visited.
      hosts.unclaim(entry);
      host.queue.putBack(entry);
    } finally {
      onAnswer({ responseTime: 0, fault: 'internal' });
    }
  }

  /** The entry waits until its host's robots.txt is known; a host that cannot be asked fails the entry. */
  async askRobots(host: Host, entry: FrontierEntry): Promise<void> {
    const { crawl, ports, options, ledger } = this.#with;
    const { signal } = options;
    const startedAt = ports.clock.now();
    host.begin();
    try {
      const isSeedHost = this.#seedHosts.has(host.name);
      const turnAt = (name: string) =>
        turnElsewhere(name, {
          ...this.#with.hosts.mannersAt(name),
          ...{ politeness: crawl.spec.politeness, clock: ports.clock, random: ports.random, signal },
        });
      const robots = await askRobots(host, entry, crawl.spec, ports, { signal, isSeedHost, turnAt });
      this.#answered(host, robots.answer, robots.crawlDelay);
      host.queue.putBack(entry);
      try {
        await ledger.commit({ kind: 'event', draft: robots.draft });
      } finally {
        await robots.release();
      }
      await ledger.join(robots.sitemaps);
      await ledger.notes.tell(robots.notes);
    } catch (error) {
      if (!(error instanceof CaptureFault)) {
        if (!signal.aborted || error !== signal.reason) throw error;
        // Told to stop while robots.txt was under way: the entry was not visited.
        host.queue.putBack(entry);
        return;
      }
      const now = ports.clock.now();
      const wait = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter };
      // Of robots.txt, which all of the host waits for: no fault of what the entry is.
      const answer = { url: entry.url, responseTime: now - startedAt, fault: error.kind, ...wait };
      this.#answered(host, answer, undefined);
      // It counts as tried, like a visit that fails: one that is put off gives its place back.
      this.#with.hosts.claim(entry);
      await ledger.settle(host, entry, nothingStored(entry, error, startedAt, now, crawl.spec));
    } finally {
      host.end();
    }
  }

  /** It failed without being asked for, and is not tried again. */
  giveUp(host: Host, entry: FrontierEntry, fault: CaptureFault): Promise<void> {
    const { crawl, ports, ledger } = this.#with;
    const now = ports.clock.now();
    const lastTry = { ...entry, attempts: Number.POSITIVE_INFINITY };
    return ledger.settle(host, entry, nothingStored(lastTry, fault, now, now, crawl.spec));
  }

  #answered(host: Host, answer: Answer, crawlDelay: number | undefined): void {
    const { crawl, ports } = this.#with;
    if (answer.fault !== undefined) host.lastFault = answer.fault;
    const note = this.#paused.has(host.name) ? undefined : pauseNote(host.name, answer.retryAfter ?? 0);
    if (note !== undefined) {
      this.#paused.add(host.name);
      this.#with.tell(note);
    }
    host.politeness = afterResponse(
      host.politeness,
      { ...answer, now: ports.clock.now(), random: ports.random() },
      crawl.spec.politeness,
      crawlDelay,
    );
  }
}

const asked = ({ url, kind }: FrontierEntry): Pick<Answer, 'url' | 'isEmbedded'> => ({
  url,
  isEmbedded: kind !== 'page' && kind !== 'revisit',
});

const asItsSeedSays = (spec: CrawlSpec, render: RenderMode | undefined): CrawlSpec =>
  render === undefined || render === spec.render ? spec : { ...spec, render };
