import { api, type ListedDecision } from '../api.ts';

/** What others decide while somebody writes a decision: the server refuses what was decided without knowing of it. */
export interface Meanwhile {
  /** What was decided about it since this was begun, or since it was last asked for: the newest first. */
  news(target: string): Promise<readonly ListedDecision[]>;
  /** For a decision about what was last asked for; undefined where that was something else. */
  stampOf(target: string): string | undefined;
}

interface Read {
  readonly target: string;
  readonly stamp: string | undefined;
  readonly rows: readonly ListedDecision[];
}

export function meanwhile(): Meanwhile {
  // A target is often written last: what was decided about it after the form was opened is news, by the time of the newest one then.
  const begun = api.decisions({ limit: 1 }).then(
    ({ rows }) => rows[0]?.at ?? 0,
    () => Number.POSITIVE_INFINITY,
  );
  let read: Read | undefined;
  return {
    async news(target) {
      const [{ rows, stamp }, since] = await Promise.all([api.decidedAbout(target), begun]);
      const before = read;
      read = { target, stamp, rows };
      if (before?.target !== target) return rows.filter(({ at }) => at > since);
      const known = new Set(before.rows.map(({ id }) => id));
      return rows.filter(({ id }) => !known.has(id));
    },
    stampOf: (target) => (read?.target === target ? read.stamp : undefined),
  };
}
