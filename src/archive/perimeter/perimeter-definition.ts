import { readFileSync } from 'node:fs';
import type { Decision } from '../../model/decision.ts';
import type { PerimeterSpec } from '../../model/perimeter.ts';
import type { PerimeterDefinition } from '../../science/perimeter/definition.ts';
import { decisionTarget } from '../given/decision-target.ts';
import { UserError } from '../user-error.ts';

/** What the judging code needs of what a configuration file declares, with lists read. */
export function perimeterDefinition(spec: PerimeterSpec): PerimeterDefinition {
  const { in: _taken, out: _out, ownersFile, ...rest } = spec;
  return {
    ...rest,
    ownerOf: ownersFile === undefined ? new Map() : readOwners(ownersFile),
    decisions: declaredDecisions(spec),
  };
}

/** What the configuration decides: the base below the decisions of people. */
export function declaredDecisions({
  in: taken,
  out,
}: Pick<PerimeterSpec, 'in' | 'out'>): readonly Decision[] {
  const declared = (kind: 'in' | 'out', list: PerimeterSpec['in']): Decision[] =>
    list.map((one) => ({
      ...one,
      target: decisionTarget(one.target),
      id: 'configuration',
      act: { kind },
      at: Number.NEGATIVE_INFINITY,
    }));
  return [...declared('in', taken), ...declared('out', out)];
}

/** `example.com<tab>FR`, one per line. */
function readOwners(file: string): ReadonlyMap<string, string> {
  return new Map(
    countryLines(file, 'the list of owners', 'a domain').map(({ key, country }) => [
      key.toLowerCase(),
      country,
    ]),
  );
}

/** Lines of a key, a tab and a country; `#` begins a comment. */
export function countryLines(
  file: string,
  list: string,
  what: string,
): readonly { readonly key: string; readonly country: string; readonly line: number }[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file}: ${list} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [key = '', country = ''] = line.split('\t');
    if (!/^[A-Z]{2}$/.test(country))
      throw new UserError(
        `${file}:${index + 1}: expected ${what}, a tab and a country such as FR, not '${line}'`,
      );
    return [{ key, country, line: index + 1 }];
  });
}
