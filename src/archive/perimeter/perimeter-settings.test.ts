import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressFacts } from './address-facts.ts';
import { readPerimeter } from './perimeter-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'perimeter-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function given(text: string): string {
  const file = join(folder, 'perimeters.yaml');
  writeFileSync(file, text);
  return file;
}

test('a whole perimeter => its definition, the list of owners beside it read', async () => {
  writeFileSync(join(folder, 'owners.tsv'), '# holders\nExample.com\tFR\n');
  const file = given(`perimeters:
  city:
    languages: { fr: 2, no: -1, other: -1 }
    domains: { fr: 3, gouv.fr: 4 }
    owners: { file: owners.tsv, weights: { FR: 3 } }
    topics: { heritage: { words: [patrimoine], weight: 1 } }
    connectivity: [1, 0.5]
    in:
      - { target: 00h00.com, by: a librarian, why: a publisher }
`);
  expect(await readPerimeter(file)).toMatchObject({
    name: 'city',
    languages: { fr: 2, no: -1, other: -1 },
    ownerOf: new Map([['example.com', 'FR']]),
    topics: [{ name: 'heritage', words: ['patrimoine'], weight: 1 }],
    decisions: [{ target: '00h00.com', act: { kind: 'in' }, by: 'a librarian' }],
    threshold: 0.5,
  });
});

test('a server without a name => its address is one that a perimeter may weigh', async () => {
  const file = given('perimeters:\n  x:\n    domains: { 127.0.0.1: 3 }\n');
  expect((await readPerimeter(file)).domains).toEqual({ '127.0.0.1': 3 });
});

test.each([
  [
    'perimeters:\n  x:\n    language: { fr: 2 }',
    /yaml:3: perimeters\.x\.language: unknown; a perimeter takes: prior, languages/,
  ],
  [
    'perimeters:\n  x:\n    languages:\n      FR: 2',
    /yaml:4: .*expected fr or another ISO 639 code in small letters, or other/,
  ],
  ['perimeters:\n  x:\n    domains: { .fr: 2 }', /yaml:3: .*without a dot before it/],
  ['perimeters:\n  x:\n    countries: { fr: 2 }', /yaml:3: .*FR or another ISO 3166 code in capitals/],
  ['perimeters:\n  x:\n    countries: { QQ: 2 }', /yaml:3: .*QQ: there is none of that name/],
  ['perimeters:\n  x:\n    countries: { UK: 2 }', /yaml:3: .*UK: there is none of that name/],
  ['perimeters:\n  x:\n    domains: { gouv.frr: 2 }', /yaml:3: .*frr: there is none of that name/],
  ['perimeters:\n  x:\n    commercial: never', /yaml:3: .*expected a weight in log-odds/],
  ['perimeters:\n  x:\n    prior: 99', /yaml:3: .*a weight is at most 20; for certainty/],
  ['perimeters:\n  x:\n    in:\n      - { target: a.org }', /yaml:4: .*a decision takes: target, by, why/],
  ['perimeters:\n  x:\n    threshold: 1.5', /yaml:3: .*above 0 and below 1/],
  ['perimeter: {}', /accepted: perimeters/],
])('%j => refused with line and what is accepted', async (text, reason) => {
  await expect(readPerimeter(given(text))).rejects.toThrow(reason);
});

test('a name that is not there, or none of several => those that are', async () => {
  const file = given('perimeters: { a: {}, b: {} }');
  await expect(readPerimeter(file, 'c')).rejects.toThrow(
    "no perimeter is named 'c'; there are: french-web, a, b",
  );
  await expect(readPerimeter(file)).rejects.toThrow('which perimeter is meant; there are: a, b');
  expect((await readPerimeter(file, 'b')).name).toBe('b');
});

test('a list of owners that is bad, or not there => file and line', async () => {
  writeFileSync(join(folder, 'bad.tsv'), 'a.org\tFR\nb.org France\n');
  const owners = (name: string) =>
    given(`perimeters: { x: { owners: { file: ${name}, weights: { FR: 1 } } } }`);
  await expect(readPerimeter(owners('bad.tsv'))).rejects.toThrow(
    /bad\.tsv:2: expected a domain, a tab and a country/,
  );
  await expect(readPerimeter(owners('absent.tsv'))).rejects.toThrow(/absent\.tsv: .*ENOENT/);
});

test('no file => the French web', async () => {
  expect(await readPerimeter()).toMatchObject({ name: 'french-web', connectivity: [0.3, 0.25] });
});

test.each([
  ['https://www.bbc.co.uk/a', 'www.bbc.co.uk', 'bbc.co.uk'],
  ['name.github.io/x', 'name.github.io', 'name.github.io'],
  ['http://192.0.2.7/', '192.0.2.7', '192.0.2.7'],
])('%s => host %s, domain %s', (url, host, domain) => {
  expect(addressFacts(url)).toEqual({ url, host, domain });
});

test('what is no address => undefined', () => {
  expect([addressFacts('a b'), addressFacts('http://'), addressFacts('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
