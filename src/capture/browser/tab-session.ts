/** A visitor in a tab: what they bring to the page, and what they have when it is done. */
import type { Cookie } from '../session/cookie.ts';
import { cookieChanges } from '../session/cookie-jar.ts';
import type { Session } from '../session/session.ts';
import type { OriginStorage, SessionVisitor } from '../session/visitors.ts';
import { cookieOf, cookieParam } from './cdp-cookies.ts';
import type { Facts } from './facts.ts';
import type { PageVisit } from './page-visit.ts';
import { READ_STORAGE, readStorage } from './read-storage.ts';
import type { Tab } from './tab.ts';
import { within } from './within.ts';

/** Milliseconds for reading the state of a page; one that hangs does not hold up the crawl. */
const PATIENCE = 3000;
/** Frames whose storage is read. */
const MOST_FRAMES = 50;

export class TabSession {
  readonly #session: Session;
  readonly #visitor: SessionVisitor;
  readonly #url: URL;
  readonly #facts: Facts;
  #before: readonly Cookie[] = [];

  private constructor(session: Session, visitor: SessionVisitor, url: URL, facts: Facts) {
    this.#session = session;
    this.#visitor = visitor;
    this.#url = url;
    this.#facts = facts;
  }

  /** Gives the tab what its visitor brings. */
  static async enter(
    tab: Tab,
    session: Session,
    { url, document }: PageVisit['request'],
    facts: Facts,
  ): Promise<TabSession> {
    const at = new URL(url);
    const entered = new TabSession(session, session.visitorFor(at, document?.request), at, facts);
    await entered.#giveCookies(tab);
    const script = storageScript(entered.#visitor.storage);
    if (script !== undefined) await tab.runFirst(script);
    return entered;
  }

  async #giveCookies(tab: Tab): Promise<void> {
    const cookies = this.#visitor.jar.list(Date.now());
    if (cookies.length > 0) {
      const refused = await tab.setCookies(cookies.map(cookieParam)).then(
        () => 0,
        () => giveOneByOne(tab, cookies),
      );
      if (refused > 0) this.#facts.add(`${refused} cookies of the session were refused by the browser`);
    }
    // As the browser stores them: what it rounds or refuses is not a change made by the page.
    if (this.#session.visitors.isKept) this.#before = await cookiesOf(tab);
  }

  /** Takes what the visitor has gained; with `--session page` nobody asks for it again. */
  async leave(visit: PageVisit): Promise<void> {
    const { visitors } = this.#session;
    if (!visitors.isKept) return;
    const after = await within(PATIENCE, cookiesOf(visit.tab)).catch(() => undefined);
    const storage = await within(PATIENCE, storageOf(visit)).catch(() => undefined);
    if (!after || !storage)
      this.#facts.add(
        'what the page stored (cookies, storage) could not be read: the session goes on without',
      );
    const changes = cookieChanges(this.#before, after ?? this.#before);
    const known = new Map(this.#visitor.storage.map((one) => [one.origin, JSON.stringify(one.items)]));
    const changed = (storage ?? []).filter(
      ({ origin, items }) => JSON.stringify(items) !== (known.get(origin) ?? '[]'),
    );
    visitors.change(this.#visitor, this.#url, { ...changes, storage: changed });
  }
}

async function giveOneByOne(tab: Tab, cookies: readonly Cookie[]): Promise<number> {
  let refused = 0;
  for (const cookie of cookies)
    await tab.setCookies([cookieParam(cookie)]).catch(() => {
      refused++;
    });
  return refused;
}

const cookiesOf = async (tab: Tab): Promise<Cookie[]> =>
  (await tab.cookies()).flatMap((stored) => cookieOf(stored) ?? []);

/** Only into empty storage: what a page has changed since stays. */
function storageScript(storage: readonly OriginStorage[]): string | undefined {
  if (storage.length === 0) return undefined;
  const items = Object.fromEntries(storage.map(({ origin, items: of }) => [origin, of]));
  // JSON is JavaScript, whatever it contains.
  return `(() => { try {
    const items = (${JSON.stringify(items)})[location.origin];
    if (items && localStorage.length === 0) for (const [name, value] of items) localStorage.setItem(name, value);
  } catch {} })()`;
}

async function storageOf(visit: PageVisit): Promise<OriginStorage[]> {
  const frames = new Map(visit.frames).set(visit.tab.targetId, visit.tab.main);
  const answers = await Promise.all(
    [...frames]
      .slice(-MOST_FRAMES)
      .map(([id, session]) => visit.evaluate(session, id, READ_STORAGE).catch(() => '')),
  );
  const byOrigin = new Map<string, OriginStorage>();
  for (const answer of answers) {
    const one = readStorage(answer);
    if (one) byOrigin.set(one.origin, one);
  }
  return [...byOrigin.values()];
}
