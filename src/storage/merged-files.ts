/**
 * Names of record files that this archive wrote itself, and of those that some of them were merged into:
 *
 *   <collection>-<crawl>-<time>-<number>.warc.gz
 *   <collection>-<crawl, or 0>-<time of the first>-<number>-merged.warc.gz
 */
export interface OwnName {
  /** Collection, and whether it is private: files that differ in it are never merged. */
  readonly kind: string;
  readonly crawl: string;
  /** 14 digits. */
  readonly time: string;
}

const OWN = /^(.+)-(\d+)-(\d{14})-\d+(?:-merged)?\.warc\.gz$/;

export function ownName(file: string): OwnName | undefined {
  const [, kind, crawl, time] = OWN.exec(file) ?? [];
  return kind === undefined || crawl === undefined || time === undefined ? undefined : { kind, crawl, time };
}

export const isMergedFile = (file: string): boolean => /-\d+-merged\.warc\.gz$/.test(file);

/** `chance` makes it unique. */
export function mergedName(names: readonly OwnName[], chance: string): string {
  const [first] = names;
  if (!first) throw new Error('no files to merge');
  const crawl = names.every((name) => name.crawl === first.crawl) ? first.crawl : '0';
  const [time = first.time] = names.map((name) => name.time).sort();
  return `${first.kind}-${crawl}-${time}-00000${chance}-merged.warc.gz`;
}
