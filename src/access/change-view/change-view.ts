import type { Delta, Operation } from '../../model/delta.ts';
import { partialReason, type ReportedOperation, reportOperation } from '../../science/delta/delta-json.ts';
import { operationWords } from '../../science/delta/operation-words.ts';
import { html, SafeHtml } from '../safe-html.ts';
import { blocksOf, marksOf } from './block-marks.ts';
import { pageSide, type ViewedPage } from './page-side.ts';
import { SCRIPT, STYLE } from './view-assets.ts';
import { wordChanges } from './word-changes.ts';

export interface ChangeViewInput {
  readonly old: ViewedPage;
  readonly new: ViewedPage;
  readonly delta: Delta;
  readonly importance: number;
  /** Of `delta.operations`, in their order. */
  readonly shares: readonly number[];
}

interface Weighed {
  readonly operation: Operation;
  readonly report: ReportedOperation;
  readonly weight: number;
}

const OPERATIONS = ['insert', 'delete', 'update', 'move'] as const;
const NAMES = { insert: 'new', delete: 'gone', update: 'changed', move: 'moved' } as const;

/**
 * Two versions side by side, the changed blocks marked on both, and the changes ranked by weight. One file without
 * anything from outside: it can be mailed, printed and kept.
 */
export function changeView(input: ChangeViewInput): string {
  const all = input.delta.operations
    .map((operation, i): Weighed => {
      const weight = input.shares[i] ?? 0;
      return { operation, weight, report: reportOperation(operation, weight) };
    })
    .sort((a, b) => b.weight - a.weight);
  const [ads, content] = [all.filter(isAd), all.filter((one) => !isAd(one))];
  const seen = content.filter(({ weight }) => weight > 0);
  const unseen = content.filter(({ weight }) => weight === 0);
  const { from, to } = input.delta;
  const partial = partialReason(input.delta);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Changes of ${to.title || to.url}</title><style>${new SafeHtml(STYLE)}</style></head><body>
<header><h1>${to.title || to.url}</h1>
<p class="url">${to.url}</p>
${partial === undefined ? '' : html`<p class="partial"><strong>Only a part of the page was compared:</strong> ${partial}. There may be more changes.</p>`}
<div class="meter" title="change importance, from 0 to 1"><b>${input.importance.toFixed(3)}</b><i style="width:${(input.importance * 100).toFixed(1)}%"></i></div>
<p class="key">${OPERATIONS.map((op) => {
    const count = content.filter(({ operation }) => operation.op === op).length;
    return html`<span class="tag ${op}">${count} ${NAMES[op]}</span>`;
  })}${ads.length > 0 ? html`<span class="tag">${ads.length} in advertisements</span>` : ''}</p></header>
<main><section class="list"><h2>What changed, the weightiest first</h2>${
    seen.length > 0
      ? html`<ol>${seen.map(row)}</ol>`
      : html`<p>${partial === undefined ? 'Nothing that a reader would notice.' : 'Nothing in the part that was compared.'}</p>`
  }${folded('Without weight', unseen)}${folded('In advertisements', ads)}</section>
<section class="side"><h2>Before <time>${from.version}</time></h2>${pageSide(input.old, marksOf(input.old.layout, content, 'old'), 'old')}</section>
<section class="side"><h2>After <time>${to.version}</time></h2>${pageSide(input.new, marksOf(input.new.layout, content, 'new'), 'new')}</section>
</main><script>${new SafeHtml(SCRIPT)}</script></body></html>
`;
  return page.markup;
}

function folded(title: string, some: readonly Weighed[]): SafeHtml | string {
  if (some.length === 0) return '';
  return html`<details><summary>${title} (${some.length})</summary><ol>${some.map(row)}</ol></details>`;
}

function row({ operation, report, weight }: Weighed): SafeHtml {
  const { old, new: now } = blocksOf(operation);
  const blocks = [...old.map((ref) => `old:${ref}`), ...now.map((ref) => `new:${ref}`)].join(' ');
  return html`<li class="${operation.op}" data-blocks="${blocks}" tabindex="0"><span class="tag ${operation.op}">${NAMES[operation.op]}</span> <span class="weight">${weight.toFixed(4)}</span><div class="what">${wording(report)}${contentOf(operation)}</div></li>`;
}

/** Characters of what came or went with a block that are shown. */
const SHOWN_CONTENT = 400;

/** What a block brought or took along: its number of links tells a reader nothing. */
function contentOf(operation: Operation): SafeHtml | string {
  if (operation.element !== 'block' || !('content' in operation)) return '';
  const { texts, links } = operation.content;
  const words = [...texts.map(({ value }) => value.text), ...links.map(({ value }) => value.name)].join(
    ' · ',
  );
  if (words === '') return '';
  const shown = words.length > SHOWN_CONTENT ? `${words.slice(0, SHOWN_CONTENT)}…` : words;
  return operation.op === 'insert' ? html`<p><ins>${shown}</ins></p>` : html`<p><del>${shown}</del></p>`;
}

/** Changed texts with their words marked; everything else in a sentence. */
function wording(report: ReportedOperation): SafeHtml | string {
  const [old, now] = [report.old?.text, report.new?.text];
  if (report.op !== 'update' || typeof old !== 'string' || typeof now !== 'string')
    return operationWords(report);
  const runs = wordChanges(old, now).map(({ kind, text }) => {
    if (kind === 'same') return text;
    return kind === 'old' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  });
  return html`text in ${report.block}: ${runs}`;
}

function isAd({ report }: Weighed): boolean {
  const sides = [report.old, report.new].filter((side) => side !== undefined);
  return sides.length > 0 && sides.every((side) => side.advertisement === true);
}
