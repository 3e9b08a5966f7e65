import { ALERT_ROUTES } from './alerts.ts';
import { CAPTURE_ROUTES } from './captures.ts';
import { CHANGE_ROUTES } from './changes.ts';
import { CHECK_ROUTES } from './checks.ts';
import { CHOICE_ROUTES } from './choices.ts';
import { CRAWL_ROUTES, CRAWL_WRITES } from './crawls.ts';
import { DAY_ROUTES } from './days.ts';
import { DECISION_ROUTES } from './decisions.ts';
import { DELTA_ROUTES } from './deltas.ts';
import { DIGEST_ROUTES } from './digests.ts';
import { EVENT_ROUTES } from './events.ts';
import { LIVE_ROUTES } from './live.ts';
import { PAGE_ROUTES } from './pages.ts';
import { PATTERN_ROUTES } from './patterns.ts';
import { PERIMETER_ROUTES } from './perimeter.ts';
import { PING_ROUTES } from './pings.ts';
import { PLAN_ROUTES } from './plan.ts';
import { PROOF_ROUTES } from './proofs.ts';
import { REPORT_ROUTES } from './reports.ts';
import type { Route } from './route.ts';
import { RULE_ROUTES } from './rules.ts';
import { SEARCH_ROUTES } from './search.ts';
import { SESSION_ROUTES } from './session.ts';
import { SITE_ROUTES } from './sites.ts';

/** Everything below `/api`: what is checked, run, sent and told in OpenAPI. */
export const ROUTES: readonly Route[] = [
  ...SITE_ROUTES,
  ...PAGE_ROUTES,
  ...CAPTURE_ROUTES,
  ...CHANGE_ROUTES,
  ...DAY_ROUTES,
  ...DELTA_ROUTES,
  ...CHOICE_ROUTES,
  ...DIGEST_ROUTES,
  ...PATTERN_ROUTES,
  ...REPORT_ROUTES,
  ...CHECK_ROUTES,
  ...PROOF_ROUTES,
  ...RULE_ROUTES,
  ...CRAWL_ROUTES,
  ...CRAWL_WRITES,
  ...LIVE_ROUTES,
  ...PLAN_ROUTES,
  ...PERIMETER_ROUTES,
  ...ALERT_ROUTES,
  ...PING_ROUTES,
  ...SESSION_ROUTES,
  ...DECISION_ROUTES,
  ...SEARCH_ROUTES,
  ...EVENT_ROUTES,
];
