import type { Delta, Operation } from '../../model/delta.ts';
import { changeOperations } from '../../science/delta/change-of.ts';
import { partialReason, type ReportedOperation, reportOperation } from '../../science/delta/delta-json.ts';
import { wordsWithoutPlace } from '../../science/delta/operation-words.ts';
import { placesOf } from '../../science/delta/places.ts';
import { readerReport, summaryText } from '../../science/delta/reader-words.ts';
import { wordChanges } from '../../science/delta/word-changes.ts';
import { html, SafeHtml } from '../safe-html.ts';
import { blocksOf, marksOf } from './block-marks.ts';
import { pageSide, sideNote, type ViewedPage } from './page-side.ts';
import { SCRIPT, STYLE } from './view-assets.ts';

export interface ChangeViewInput {
  readonly old: ViewedPage;
  readonly new: ViewedPage;
  readonly delta: Delta;
  readonly importance: number;
  /** Of `delta.operations`, in their order. */
  readonly shares: readonly number[];
  /** Said before all else. */
  readonly instead?: string;
}

interface Weighed {
  readonly operation: Operation;
  readonly report: ReportedOperation;
  readonly weight: number;
  /** Where, in words. */
  readonly place: string;
  readonly salience: number | undefined;
}

const OPERATIONS = ['insert', 'delete', 'update', 'move'] as const;
const NAMES = { insert: 'new', delete: 'gone', update: 'changed', move: 'moved' } as const;

/**
 * Two versions side by side, the changed blocks marked on both, and the changes ranked by weight. One file without
 * anything from outside: it can be mailed, printed and kept.
 */
export function changeView(input: ChangeViewInput): string {
  const places = placesOf(input.old.layout, input.new.layout);
  const all = input.delta.operations
    .map((operation, i): Weighed => {
      const weight = input.shares[i] ?? 0;
      const report = reportOperation(operation, weight);
      const place = operation.op === 'delete' ? places.old(report.block) : places.new(report.block);
      const salience = input.delta.salience?.operations[i];
      return { operation, weight, salience, report, place };
    })
    .sort((a, b) => (b.salience ?? 0) - (a.salience ?? 0) || b.weight - a.weight);
  const shapes = all.filter(isShape);
  const told = all.filter((one) => !isShape(one));
  const [ads, content] = [told.filter(isAd), told.filter((one) => !isAd(one))];
  const isSeen = ({ weight, salience = 0 }: Weighed): boolean => weight > 0 || salience > 0;
  const [seen, unseen] = [content.filter(isSeen), content.filter((one) => !isSeen(one))];
  const { from, to } = input.delta;
  const partial = partialReason(input.delta);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Changes of ${to.title || to.url}</title><style>${new SafeHtml(STYLE)}</style></head><body>
<header><h1>${to.title || to.url}</h1>
<p class="url">${to.url}</p>
${input.instead === undefined ? '' : html`<p class="sum"><strong>${input.instead}.</strong></p>`}
<p class="sum">${summaryText(readerReport(changeOperations(input.delta, input.shares), places), partial !== undefined)}</p>
${partial === undefined ? '' : html`<p class="partial"><strong>Only a part of the page was compared:</strong> ${partial}. There may be more changes.</p>`}
${salienceOf(input.delta)}<div class="meter" title="change importance, from 0 to 1"><b>${input.importance.toFixed(3)}</b><i style="width:${(input.importance * 100).toFixed(1)}%"></i></div>
<p class="key">${OPERATIONS.map((op) => {
    const count = content.filter(({ operation }) => operation.op === op).length;
    return html`<span class="tag ${op}">${count} ${NAMES[op]}</span>`;
  })}${ads.length > 0 ? html`<span class="tag">${ads.length} in advertisements</span>` : ''}</p></header>
<main><section class="list"><h2>What changed, first what a reader would rather be told</h2>${
    seen.length > 0
      ? html`<ol>${seen.map(row)}</ol>`
      : html`<p>${partial === undefined ? 'Nothing that a reader would notice.' : 'Nothing in the part that was compared.'}</p>`
  }${folded('Without weight', unseen)}${folded('In advertisements', ads)}${reshaped(shapes.length)}</section>
<section class="side"><h2>Before <time>${from.version}</time></h2>${pageSide(input.old, marksOf(input.old.layout, content, 'old'), 'old', places.old)}${noteOf(input.old)}</section>
<section class="side"><h2>After <time>${to.version}</time></h2>${pageSide(input.new, marksOf(input.new.layout, content, 'new'), 'new', places.new)}${noteOf(input.new)}</section>
</main><script>${new SafeHtml(SCRIPT)}</script></body></html>
`;
  // A page's own bytes could command whatever shows the file as text.
  return page.markup.replace(CONTROLS, '\ufffd');
}

const CONTROLS = /(?![\n\r\t])\p{Cc}/gu;

/** A block that holds what it held, split, merged or framed otherwise: nothing that a reader would call a change. */
const isShape = ({ report }: Weighed): boolean => report.structure !== undefined;

const reshaped = (count: number): SafeHtml | string =>
  count === 0
    ? ''
    : html`<p class="place">${count === 1 ? 'One block is' : `${count} blocks are`} laid out otherwise, with what ${count === 1 ? 'it' : 'they'} held.</p>`;

function noteOf(page: ViewedPage): SafeHtml | string {
  const note = sideNote(page);
  return note === undefined ? '' : html`<p class="place">${note}</p>`;
}

/** The reader's number and its sentence. */
function salienceOf({ salience }: Delta): SafeHtml | string {
  if (!salience) return '';
  const { value, why } = salience;
  return html`<p class="why">${why}</p>
<div class="meter" title="salience, from 0 to 1: would a reader want to be told?"><b>${value.toFixed(2)}</b><i style="width:${(value * 100).toFixed(1)}%"></i></div>
`;
}

function folded(title: string, some: readonly Weighed[]): SafeHtml | string {
  if (some.length === 0) return '';
  return html`<details><summary>${title} (${some.length})</summary><ol>${some.map(row)}</ol></details>`;
}

function row({ operation, report, weight, salience, place }: Weighed): SafeHtml {
  const { old, new: now } = blocksOf(operation);
  const blocks = [...old.map((ref) => `old:${ref}`), ...now.map((ref) => `new:${ref}`)].join(' ');
  return html`<li class="${operation.op}" data-blocks="${blocks}" tabindex="0"><span class="tag ${operation.op}">${NAMES[operation.op]}</span> <span class="place">${place}</span> <span class="weight" title="${salience === undefined ? 'importance' : 'salience; importance'}">${salience === undefined ? '' : `${salience.toFixed(3)} · `}${weight.toFixed(4)}</span><div class="what">${wording(report)}${contentOf(operation)}</div></li>`;
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
    return wordsWithoutPlace(report);
  const runs = wordChanges(old, now).map(({ kind, text }) => {
    if (kind === 'same') return text;
    return kind === 'old' ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  });
  return html`${runs}`;
}

function isAd({ report }: Weighed): boolean {
  const sides = [report.old, report.new].filter((side) => side !== undefined);
  return sides.length > 0 && sides.every((side) => side.advertisement === true);
}
