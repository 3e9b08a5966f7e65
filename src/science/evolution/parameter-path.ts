/**
 * Directories of query-driven sites, which have none in their paths: `/show?id=7&section=news` lies in
 * `/show/section=news/` as the page `id=7`. NEAR-Miner (2009, § 1.1) takes such a hierarchy from the site's own database;
 * an archive knows only addresses.
 *
 * Idea: a parameter with few values groups pages, one with many names them. So of each path's parameters the one with the
 * fewest values becomes the upper level, and the one with the most becomes the page; ties go by name. The order in which an
 * address writes its parameters does not matter.
 *
 * Cost: one pass over all addresses, memory by distinct values.
 */
export function parameterAddresses(urls: Iterable<string>): (url: string) => string {
  const values = new Map<string, Map<string, Set<string>>>();
  for (const url of new Set(urls)) {
    const { path, parameters } = parsed(url);
    const ofPath = values.get(path) ?? new Map<string, Set<string>>();
    values.set(path, ofPath);
    for (const [name, value] of parameters) ofPath.set(name, (ofPath.get(name) ?? new Set()).add(value));
  }
  return (url) => {
    const { path, parameters } = parsed(url);
    if (parameters.length === 0) return url;
    const size = (name: string): number => values.get(path)?.get(name)?.size ?? 0;
    const levels = parameters
      .toSorted(([a], [b]) => size(a) - size(b) || (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, value]) => `${name}=${value}`.replaceAll('/', '%2F'));
    return `${path.replace(/\/$/, '')}/${levels.join('/')}`;
  };
}

function parsed(url: string): {
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
} {
  const [withoutFragment = ''] = url.split('#', 1);
  const at = withoutFragment.indexOf('?');
  if (at < 0) return { path: withoutFragment, parameters: [] };
  const parts = withoutFragment
    .slice(at + 1)
    .split('&')
    .filter(Boolean);
  return {
    path: withoutFragment.slice(0, at),
    parameters: parts.map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name, value.join('=')] as const;
    }),
  };
}
