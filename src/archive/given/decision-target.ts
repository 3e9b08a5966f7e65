import { crawlUrl } from '../../capture/scope/normalise.ts';
import { targetKind } from '../../model/decision-target.ts';
import { UserError } from '../user-error.ts';
import { webAddress } from './web-address.ts';

/** In characters; far more than any URL that servers take. */
const LONGEST = 4000;

/**
 * The target of a decision, from what a person writes to what is stored: `Example.org` => `example.org`,
 * `example.org/a` => `https://example.org/a`; patterns are unchanged.
 */
export function decisionTarget(text: string): string {
  const given = text.trim();
  if (/\p{Cc}|\s/u.test(given) || given.length > LONGEST) throw refused(text);
  if (targetKind(given) === 'pattern') {
    // At least something must be fixed: `*` alone would be a decision about the whole web.
    if (!/[\p{L}\p{N}]/u.test(given.replace(/^https?:\/\//i, ''))) throw refused(text);
    const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)?([^/]*)(.*)$/is.exec(given) ?? [];
    return `${scheme.toLowerCase()}${host.toLowerCase()}${rest}`;
  }
  const address = webAddress(given);
  const parsed = address && crawlUrl(address.url);
  if (!parsed?.ok) throw refused(text);
  return given.includes('/') ? parsed.url : new URL(parsed.url).host;
}

const refused = (text: string): UserError =>
  new UserError(
    `'${text}' is nothing to decide about: write a page (https://example.org/a), a site (example.org), or a pattern with * ` +
      '(example.org/blog/*)',
  );
