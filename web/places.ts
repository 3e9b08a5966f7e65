import type { Component } from 'svelte';
import type { Route } from './router.ts';

/** Each place is a file of its own that is fetched when it is first opened. */
export const PLACES: Readonly<Record<Route['view'], () => Promise<{ readonly default: Component<never> }>>> =
  {
    today: () => import('./places/Today.svelte'),
    sites: () => import('./places/Sites.svelte'),
    site: () => import('./places/Site.svelte'),
    page: () => import('./places/Page.svelte'),
    digest: () => import('./places/Digest.svelte'),
    compare: () => import('./places/Compare.svelte'),
    replay: () => import('./places/Replayed.svelte'),
    search: () => import('./places/Search.svelte'),
    prove: () => import('./places/Prove.svelte'),
    crawls: () => import('./places/Crawls.svelte'),
    crawl: () => import('./places/Crawl.svelte'),
    plan: () => import('./places/Plan.svelte'),
    perimeter: () => import('./places/Perimeter.svelte'),
    decisions: () => import('./places/Decisions.svelte'),
    alerts: () => import('./places/Alerts.svelte'),
    lab: () => import('./places/Lab.svelte'),
    unknown: () => import('./places/Unknown.svelte'),
  };

/** What a place is about: where that changes, it begins anew. */
export function subject(route: Route): string {
  if (route.view === 'replay') return 'replay';
  if ('url' in route) return `${route.view} ${route.url}`;
  if ('site' in route) return `${route.view} ${route.site}`;
  return 'id' in route ? `${route.view} ${route.id}` : route.view;
}

/** Under which entry of the navigation a place stands. */
export function sectionOf(view: Route['view']): string {
  if (['site', 'page', 'digest', 'compare', 'replay'].includes(view)) return 'sites';
  return view === 'crawl' ? 'crawls' : view;
}
