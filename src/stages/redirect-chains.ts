import type { FrontierEntry } from '../model/crawl.ts';
import { CaptureFault } from '../model/fault.ts';

/** Concurrent chains; older ones are forgotten, and then only the limit on length ends them. */
const CHAINS_KEPT = 10_000;

export interface RedirectStep {
  /** Absolute; undefined when the chain ends here. */
  readonly target?: string;
  readonly fault?: CaptureFault;
}

export interface RedirectChains {
  follow(entry: Pick<FrontierEntry, 'url' | 'redirects'>, location: string, limit: number): RedirectStep;
}

/** Follows chains of redirects across visits, so that loops and endless chains end in a stored fault. */
export function createRedirectChains(): RedirectChains {
  const chains = new Map<string, readonly string[]>();
  return {
    follow({ url, redirects }, location, limit) {
      const before = chains.get(url) ?? [];
      chains.delete(url);
      const chain = [...before, url];
      let target: string;
      try {
        const parsed = new URL(location, url);
        parsed.hash = '';
        target = parsed.href;
      } catch {
        return {
          fault: new CaptureFault(
            'malformed-response',
            url,
            `Location is not a URL: ${JSON.stringify(location)}`,
          ),
        };
      }
      if (chain.includes(target)) {
        return {
          fault: new CaptureFault(
            'redirect-loop',
            url,
            `redirects in a circle of ${chain.length} to ${target}`,
          ),
        };
      }
      if (redirects + 1 > limit) {
        return { fault: new CaptureFault('redirect-limit', url, `more than ${limit} redirects in a row`) };
      }
      if (chains.size >= CHAINS_KEPT) {
        const oldest = chains.keys().next();
        if (!oldest.done) chains.delete(oldest.value);
      }
      chains.set(target, chain);
      return { target };
    },
  };
}
