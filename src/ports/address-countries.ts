/** Countries of IP addresses, by a database that lies on this machine. */
export interface AddressCountries {
  /** Who made it, and when: to be named wherever its answers are shown. */
  readonly source: string;
  /** ISO 3166 code; undefined for private addresses, those it does not know, and what is no address. */
  countryOf(address: string): string | undefined;
}
