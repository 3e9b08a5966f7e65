/** What a web address tells by itself. */
export interface AddressFacts {
  readonly url: string;
  readonly host: string;
  /** Registrable domain by the public suffix list (`a.b.co.uk` → `b.co.uk`); the host where there is none. */
  readonly domain: string;
}
