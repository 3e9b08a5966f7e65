/** Countries of IP addresses, from a local database. */
export interface AddressCountries {
  /** Who made it, and when: to be credited wherever its answers are shown. */
  readonly source: string;
  /** ISO 3166 code; undefined for private addresses, unknown ones, and what is not an address. */
  countryOf(address: string): string | undefined;
}
