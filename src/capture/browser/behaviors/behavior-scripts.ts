import type { BehaviorName, OwnBehavior } from '../../../model/page-spec.ts';
import { CLICK_LINKS } from './click-script.ts';
import { behaviorsScript } from './shipped-script.ts';

/**
 * A behaviour as one expression that settles when it has ended. It runs in a world of its own: it sees the page's elements but
 * none of its scripts, and the page cannot have replaced anything it relies on. `stop` ends it from outside.
 */
export interface BehaviorScript {
  readonly name: string;
  readonly run: string;
  readonly stop: string;
}

/** Which parts of Webrecorder's script each name turns on; scrolling is a step of its own: see page-steps.ts. */
const WEBRECORDER = {
  autoplay: { autoplay: true },
  autofetch: { autofetch: true },
  siteSpecific: { siteSpecific: true },
} as const;
const NOTHING = {
  autofetch: false,
  autoplay: false,
  autoclick: false,
  autoscroll: false,
  siteSpecific: false,
};

export function behaviorScript(behavior: BehaviorName | OwnBehavior): BehaviorScript | undefined {
  if (typeof behavior !== 'string') return ownScript(behavior);
  if (behavior === 'autoscroll') return undefined;
  return behavior === 'loadMore' || behavior === 'autoclick'
    ? { name: behavior, run: guarded(behavior === 'loadMore' ? LOAD_MORE : CLICK_LINKS), stop: STOP }
    : webrecorder(behavior, JSON.stringify({ ...NOTHING, ...WEBRECORDER[behavior], log: false }), '[]');
}

const ownScript = ({ name, script }: OwnBehavior): BehaviorScript =>
  /\bstatic\s+isMatch\b/u.test(script)
    ? webrecorder(
        name,
        JSON.stringify({ ...NOTHING, siteSpecific: true, log: false }),
        `[${watched(script)}]`,
      )
    : { name, run: guarded(`${script}\n`), stop: STOP };

const webrecorder = (name: string, options: string, classes: string): BehaviorScript => ({
  name,
  // Autoplay leaves what it finds to autofetch, which accepts it only while running.
  run: `${behaviorsScript()};(async () => {
    const manager = globalThis.__bx_behaviors;
    manager.init(${options}, false, ${classes});
    manager.autofetch.running = true;
    await manager.run(${options});
    const { error, isMatch } = globalThis.daguerreWatched ?? {};
    if (error) throw error;
    return isMatch === false ? 'was not run: it is not for this page' : '';
  })()`,
  stop: `try { globalThis.__bx_behaviors.behaviors.forEach((one) => one.pause && one.pause()); } catch {} ''`,
});

/** Webrecorder's manager does not expose what a class throws, nor whether the class matched the page at all. */
const watched = (script: string): string => `(() => {
  const told = globalThis.daguerreWatched = {};
  const keep = (error) => {
    told.error = error instanceof Error ? error : new Error(String(error));
    throw error;
  };
  return class extends (${script}
) {
    static isMatch(...given) {
      try { return told.isMatch = Boolean(super.isMatch(...given)); } catch (error) { keep(error); }
    }
    async *run(...given) {
      try { yield* super.run(...given); } catch (error) { keep(error); }
    }
  };
})()`;

/** The body is given a signal that fires when its time is over. */
const guarded = (body: string): string => `(async () => {
  const stopping = globalThis.daguerreStop = new AbortController();
  await (async (signal) => {${body}})(stopping.signal);
  return '';
})()`;
const STOP = `try { globalThis.daguerreStop.abort(); } catch {} ''`;

/** Clicks whatever says, in four languages, that there is more, for as long as more comes. */
const LOAD_MORE = `
  const MORE = /^(?:load|show|see|view) (?:\\d+ )?more\\b|^more (?:results|posts|articles|stories|comments|news)$|^mehr (?:laden|anzeigen|artikel|ergebnisse|beiträge)|^weitere (?:laden|anzeigen|artikel|ergebnisse|beiträge)|^(?:charger|afficher|voir) (?:plus|davantage|la suite)|^(?:plus d['’]articles|cargar más|ver más|mostrar más)/iu;
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const wordsOf = (one) => (one.innerText || one.value || one.getAttribute('aria-label') || '').replace(/\\s+/g, ' ').trim();
  // Elements and bare text. A clock that writes itself anew has as many nodes, and a few letters more or less.
  const size = () => {
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let nodes = 0;
    let letters = 0;
    while (walker.nextNode()) {
      nodes++;
      if (walker.currentNode.nodeType === Node.TEXT_NODE) letters += walker.currentNode.length;
    }
    return { nodes, letters };
  };
  const isSame = (before) => {
    const { nodes, letters } = size();
    return nodes === before.nodes && letters < before.letters + 20;
  };
  const idle = new WeakMap();
  for (let clicks = 0; clicks < 50 && !signal.aborted; clicks++) {
    const button = [...document.querySelectorAll('button, [role=button], a, input[type=button], input[type=submit]')]
      .find((one) => MORE.test(wordsOf(one)) && one.checkVisibility() && !one.disabled && !idle.get(one));
    if (!button) break;
    const before = size();
    button.scrollIntoView({ block: 'center', behavior: 'instant' });
    button.click();
    // What does not bring more within three seconds will not.
    for (let waited = 0; waited < 30 && isSame(before) && button.isConnected && !signal.aborted; waited++) await pause(100);
    if (isSame(before)) idle.set(button, true);
    else await pause(200);
  }
`;
