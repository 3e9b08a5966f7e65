const COMPACT = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?$/;

/** `20220128T213510Z` in seconds since 1970; undefined for a version with any other name. */
export function versionTime(version: string): number | undefined {
  const parts = COMPACT.exec(version);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return new Date(time).toISOString().replace(/\D/g, '').startsWith(parts.slice(1).join(''))
    ? time / 1000
    : undefined;
}
