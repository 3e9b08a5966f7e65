import { archivedUrl, type NamingCatalog, NoSuchCapture, namedCapture } from '../../access/capture-name.ts';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';
import { parseCaptureName } from './page-source.ts';
import { webAddress } from './web-address.ts';

/** What `--url` chooses: an archived page, or with `@<time>` its capture at that time. */
export interface ChosenPage {
  readonly url: string;
  readonly since?: Millis;
  readonly until?: Millis;
}

export async function chosenPage(text: string, now: Millis, catalog: NamingCatalog): Promise<ChosenPage> {
  const name = parseCaptureName(text, now);
  if (!name) {
    const url = webAddress(text)?.url ?? text;
    return { url: (await archivedUrl(url, catalog)) ?? url };
  }
  try {
    const { url, at } = await namedCapture(name, catalog);
    return name.time.kind === 'period'
      ? { url, since: name.time.from, until: name.time.to }
      : { url, since: at, until: at };
  } catch (error) {
    throw error instanceof NoSuchCapture ? new UserError(error.message) : error;
  }
}
