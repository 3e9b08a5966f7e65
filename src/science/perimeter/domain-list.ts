/** The longest entry that equals the host, or that it ends with after a dot: `www.bnf.gouv.fr` and `fr, gouv.fr` → `gouv.fr`. */
export function longestDomain(host: string, entries: Readonly<Record<string, unknown>>): string | undefined {
  let rest = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
  for (;;) {
    if (Object.hasOwn(entries, rest)) return rest;
    const dot = rest.indexOf('.');
    if (dot < 0) return undefined;
    rest = rest.slice(dot + 1);
  }
}
