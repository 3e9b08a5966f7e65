import type { HtmlTree } from '../model/html-tree.ts';
import type { Layout } from '../model/layout.ts';
import type { PageSnapshot } from '../model/page-snapshot.ts';
import type { PlacedLayout } from '../science/layout/layout-of.ts';
import { type FillOptions, fillTemplate } from '../science/layout/template/fill-template.ts';
import { learnTemplate } from '../science/layout/template/learn-template.ts';
import type { PageTemplate } from '../science/layout/template/page-template.ts';
import {
  FRESH_TRUST,
  isVerifyingTurn,
  type TemplateTrust,
  type TurnOutcome,
  trustAfter,
} from '../science/layout/template/verify-turn.ts';

/**
 * Layouts without a browser. For each new version of a page: `templateLayout`; where it says `render`, or `verify` is
 * true, the page is rendered and segmented, and `learnedTemplate` or `afterTurn` gives what is kept from then on.
 */

/** What is kept of a page between visits; JSON. */
export interface KeptTemplate {
  readonly format: 1;
  /** Of the HTML that the last layout is of. */
  readonly digest: string;
  readonly trust: TemplateTrust;
  readonly template: PageTemplate;
}

/** Reads HTML as browsers do: src/capture/html/html-tree.ts. */
export type ParseHtml = (html: string) => HtmlTree;

/** A version of a page, as it came. */
export interface HtmlVersion {
  /** Decoded by the character set that a browser would take. */
  readonly html: string;
  /** Of the payload. */
  readonly digest: string;
}

export interface TemplateOptions extends FillOptions {
  readonly parse: ParseHtml;
  /** Of so many filled versions one is verified. */
  readonly verifyEvery?: number | undefined;
}

export type TemplateOutcome =
  /** The HTML is that of the last layout. */
  | { readonly kind: 'same' }
  /** `verify`: to be compared with a rendering, by `agrees`, before it is trusted. */
  | { readonly kind: 'filled'; readonly layout: Layout; readonly boxesOf: string; readonly verify: boolean }
  | { readonly kind: 'render'; readonly reason: string };

export function templateLayout(
  kept: KeptTemplate | undefined,
  { html, digest }: HtmlVersion,
  options: TemplateOptions,
): TemplateOutcome {
  if (!kept) return { kind: 'render', reason: 'no template' };
  if (kept.digest === digest) return { kind: 'same' };
  const filling = fillTemplate(kept.template, options.parse(html), options);
  if (filling.kind === 'render') return filling;
  return { ...filling, verify: isVerifyingTurn(kept.trust, options.verifyEvery) };
}

export type LearnedTemplate =
  | { readonly kind: 'learned'; readonly kept: KeptTemplate }
  /** The page is not static, or cannot be known to be. */
  | { readonly kind: 'refused'; readonly reason: string };

/** After a rendering: from its snapshot, and the layout that was made of it with the same options. */
export function learnedTemplate(
  { html, digest }: HtmlVersion,
  snapshot: PageSnapshot,
  placed: PlacedLayout,
  options: Omit<TemplateOptions, 'version'>,
): LearnedTemplate {
  const learning = learnTemplate(options.parse(html), snapshot, placed, options);
  if (learning.kind === 'refused') return learning;
  return { kind: 'learned', kept: { format: 1, digest, trust: FRESH_TRUST, template: learning.template } };
}

/** What is kept after a filled version; undefined: the template was wrong. */
export function afterTurn(
  kept: KeptTemplate,
  digest: string,
  outcome: TurnOutcome,
): KeptTemplate | undefined {
  const trust = trustAfter(kept.trust, outcome);
  return trust && { ...kept, digest, trust };
}

/** Whether a filled layout is what rendering and segmenting gave: the ids are hashes of all content. */
export const agrees = (filled: Layout, rendered: Layout): boolean =>
  filled.root.id === rendered.root.id && filled.title === rendered.title;

export const writeTemplate = (kept: KeptTemplate): string => JSON.stringify(kept);

/** undefined for what an older version of this program wrote. */
export function parseTemplate(json: string): KeptTemplate | undefined {
  const kept = JSON.parse(json) as KeptTemplate;
  return kept.format === 1 && kept.template.format === 1 ? kept : undefined;
}
