/**
 * Names this opening of the web page. It is part of the hosts that replay pages, so that what they store is out of
 * reach once the web page is closed or loaded again.
 */
export const view: string = [...crypto.getRandomValues(new Uint8Array(8))]
  .map((byte) => (byte % 36).toString(36))
  .join('');
