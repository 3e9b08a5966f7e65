import type { ScopeSpec } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';
import type { LinkOrigin, Perimeter, PerimeterVerdict } from '../ports/perimeter.ts';
import { crawlUrl } from './scope/normalise.ts';
import { compileScope } from './scope/scope.ts';
import { createTrapDetector } from './scope/traps.ts';

/** Scope and trap detection as one judgement. Throws ScopeError for a scope that cannot be. */
export function createPerimeter(seeds: readonly string[], spec: ScopeSpec): Perimeter {
  const scope = compileScope(seeds, spec);
  // Embedded things are taken wherever they live: only what the user excluded stays out.
  const resourceScope = compileScope(seeds, {
    ...spec,
    type: 'any',
    include: [],
    depth: Number.POSITIVE_INFINITY,
  });
  const pageTraps = createTrapDetector();
  // Image resizers make many variants of one path, all of them real: counted apart, and more of them.
  const resourceTraps = createTrapDetector({ queryVariants: 20_000 });

  function judge(
    href: string,
    origin: LinkOrigin,
    depth: number,
    now: Millis,
    judgeScope: typeof scope.judge,
    traps = pageTraps,
  ): PerimeterVerdict {
    const parsed = crawlUrl(href, origin.url);
    if (!parsed.ok) return { inside: false, url: href, reason: parsed.reason, detail: parsed.detail };
    const { url } = parsed;
    const verdict = judgeScope(url, { depth, extraHops: origin.extraHops });
    if (!verdict.in) return { inside: false, url, reason: verdict.reason, detail: verdict.detail };
    const trap = traps.judge(url, now);
    if (trap) return { inside: false, url, reason: trap.trap, detail: trap.detail };
    traps.observe(url);
    return { inside: true, url, host: new URL(url).host, depth, extraHops: verdict.extraHops };
  }

  return {
    judgeLink: (href, origin, now) => judge(href, origin, origin.depth + 1, now, scope.judge),
    judgeResource: (href, origin, now) =>
      judge(href, origin, origin.depth, now, resourceScope.judge, resourceTraps),
    judgeRedirect(href, origin, now) {
      if (origin.isSeed) {
        const parsed = crawlUrl(href, origin.url);
        if (parsed.ok) scope.addSeed(parsed.url);
      }
      return judge(href, origin, origin.depth, now, scope.judge);
    },
    observe: (url) => pageTraps.observe(url),
  };
}
