/** Whose tab is looked at: the visit that was chosen while it goes on, else the one that began first. */
export function followed(
  visits: readonly { readonly url: string }[],
  chosen: string | undefined,
): string | undefined {
  return (visits.find(({ url }) => url === chosen) ?? visits[0])?.url;
}
