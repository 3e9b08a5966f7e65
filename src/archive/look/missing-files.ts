/** A page saved without what it embeds would list a hundred missing files; one line is enough. */
export function missingFiles(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [];
  const sheets = missing.filter((url) => /\.css$/i.test(url.split(/[?#]/, 1)[0] ?? '')).length;
  if (missing.length === 1)
    return [`1 ${sheets === 1 ? 'style sheet' : 'file'} that the page asks for is not kept`];
  const styles = sheets === 0 ? '' : `, ${sheets} of them style sheets`;
  return [`${missing.length} files that the page asks for are not kept${styles}`];
}

/** What else went wrong while a page was shown, without what merely follows from missing files or from being offline. */
export function otherFacts(facts: readonly string[], missing: readonly string[]): readonly string[] {
  return facts.filter(
    (fact) =>
      !/^not kept: |^service_worker not run: |requests of the page were answered not at all/.test(fact) &&
      !(fact.startsWith('request failed: ') && missing.some((url) => fact.includes(url))),
  );
}
