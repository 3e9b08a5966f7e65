/**
 * How each version of a page looks, oldest first: as it was looked at itself; else, of the very same bytes, as the last version
 * before it that was. A second visit, or a server that sends an old page again, is not shown by a browser each time. The one place
 * that says so: what is compared, searched, digested and kept of a page follows from it.
 */
export function looksOf<Look>(
  versions: readonly { readonly payload: string; readonly look?: Look }[],
): readonly (Look | undefined)[] {
  const known = new Map<string, Look>();
  return versions.map(({ payload, look }) => {
    if (payload === '') return look;
    if (look !== undefined) known.set(payload, look);
    return look ?? known.get(payload);
  });
}
