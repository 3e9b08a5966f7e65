import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BLANK_PERIMETER } from '../../science/perimeter/definition.ts';
import { evidenceOf } from '../../science/perimeter/evidence.ts';
import { PerimeterFacts } from '../../stages/perimeter-facts.ts';
import { addressFacts } from './address-facts.ts';
import { isCredited, perimeterCountries } from './perimeter-countries.ts';

test("addresses of the user's own list => no credit is due; all others => the database's", () => {
  const folder = mkdtempSync(join(tmpdir(), 'countries-'));
  try {
    const addressesFile = join(folder, 'addresses.tsv');
    writeFileSync(addressesFile, '127.0.0.0/8\tFR\n');
    const definition = { ...BLANK_PERIMETER, name: 'x', countries: { FR: 1, other: -1 } };
    const countries = perimeterCountries({ ...definition, addressesFile });
    if (!countries) throw new Error('there is no list');
    const facts = new PerimeterFacts(
      { countries, addressFacts, languages: { identify: () => undefined } },
      definition,
    );
    const evidence = (ip: string) =>
      evidenceOf(facts.ofPage({ url: `https://${ip}/`, ip }, undefined), definition);
    expect(evidence('127.0.0.2')).toMatchObject([{ found: 'FR', isOwn: true }]);
    expect(isCredited(evidence('127.0.0.2'))).toBe(false);
    expect(evidence('8.8.8.8')).toMatchObject([{ criterion: 'country' }]);
    expect(isCredited(evidence('8.8.8.8'))).toBe(true);
    // A page read on a host informs links to that host, with the same mark.
    const link = facts.ofLink('https://127.0.0.2/b', 'https://8.8.8.8/', undefined);
    expect(isCredited(evidenceOf(link, definition))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
