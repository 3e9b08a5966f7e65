/**
 * The versions of one page, found by walking its moments from birth on and keeping those at which the content differs.
 * The walk is remembered and only ever goes forward, so earlier requests have no influence.
 */
import type { Millis } from '../../model/time.ts';
import { lastAtOrBefore } from './article.ts';
import type { NewsContent, NewsPageSpec } from './content.ts';
import { type ContentChange, combined, diffContent, OPERATION_WEIGHT } from './content-diff.ts';

interface VersionFacts {
  readonly path: string;
  /** Counted from 1. */
  readonly version: number;
  readonly from: Millis;
  /** Set if the version had ended by the requested time. */
  readonly to?: Millis;
  readonly changes: readonly ContentChange[];
  /** All changes together, 0..1. */
  readonly importance: number;
  readonly reason: string;
}

export type Version =
  | (VersionFacts & { readonly state: 'live' })
  /** The page no longer exists: withdrawn (410) or moved (301). */
  | (VersionFacts & { readonly state: 'gone'; readonly movedTo?: string });

export interface Timeline {
  /** All versions that began at or before `time`, oldest first; the last may be `gone`. */
  until(time: Millis): readonly Version[];
  /** The version live at `time`. */
  at(time: Millis): Version | undefined;
}

const wholePage = (kind: 'insert' | 'delete', title: string): ContentChange => ({
  kind,
  element: 'block',
  block: 'page',
  importance: OPERATION_WEIGHT[kind],
  ...(kind === 'insert' ? { after: title } : { before: title }),
});

export function openTimeline(spec: NewsPageSpec): Timeline {
  const known: Version[] = [];
  const starts: Millis[] = [];
  let content: NewsContent | undefined;
  let walkedTo = spec.born;

  function add(from: Millis, reason: string, changes: readonly ContentChange[]): void {
    starts.push(from);
    const version = known.length + 1;
    known.push({
      path: spec.path,
      version,
      from,
      changes,
      importance: combined(changes),
      reason,
      state: 'live',
    });
  }

  function walk(time: Millis): void {
    if (known.length === 0) {
      content = spec.content(spec.born);
      add(spec.born, 'appeared', [wholePage('insert', content.title)]);
    }
    if (time <= walkedTo) return;
    const stop = Math.min(time, spec.end ? spec.end.at - 1 : time);
    const moments = stop > walkedTo ? spec.moments(walkedTo, stop) : [];
    for (let i = 0; i < moments.length; ) {
      const at = (moments[i] as { at: Millis }).at;
      const together = [];
      for (; i < moments.length && moments[i]?.at === at; i++)
        together.push(moments[i] as (typeof moments)[0]);
      let changes: readonly ContentChange[];
      if (spec.entry) {
        const block = 'entries';
        changes = together.map((moment) => {
          const { kind, text } = (spec.entry as NonNullable<NewsPageSpec['entry']>)(moment);
          const importance = OPERATION_WEIGHT[kind] * 0.01;
          return {
            kind,
            element: 'link',
            block,
            importance,
            ...(kind === 'delete' ? { before: text } : { after: text }),
          };
        });
      } else {
        const next = spec.content(at);
        changes = diffContent(content as NewsContent, next);
        content = next;
      }
      if (changes.length > 0) add(at, together.map(({ reason }) => reason).join('; '), changes);
    }
    if (spec.end && time >= spec.end.at && known.at(-1)?.state === 'live') {
      const changes = [wholePage('delete', content?.title ?? spec.path)];
      const { at, reason, movedTo } = spec.end;
      starts.push(at);
      known.push({
        path: spec.path,
        version: known.length + 1,
        from: at,
        changes,
        importance: combined(changes),
        reason,
        state: 'gone',
        ...(movedTo === undefined ? {} : { movedTo }),
      });
    }
    walkedTo = time;
  }

  return {
    until: (time) => {
      if (time < spec.born) return [];
      walk(time);
      const count = lastAtOrBefore(starts, time) + 1;
      return known
        .slice(0, count)
        .map((version, i) => (i + 1 < count ? { ...version, to: starts[i + 1] as Millis } : version));
    },
    at: (time) => {
      if (time < spec.born) return undefined;
      walk(time);
      const version = known[lastAtOrBefore(starts, time)];
      return version?.state === 'live' ? version : undefined;
    },
  };
}
