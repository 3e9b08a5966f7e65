import type { DeltaSalience } from '../../model/delta.ts';
import { attributeReader, type XmlElement } from '../layout/xml.ts';

/** The file is XML, but not Vi-Delta; `where` is the block or section. */
export class ViDeltaError extends Error {
  override readonly name = 'ViDeltaError';
  readonly where: string;

  constructor(problem: string, where: string) {
    super(`${where}: ${problem}`);
    this.where = where;
  }
}

export const { text, numbers } = attributeReader((problem, where) => new ViDeltaError(problem, where));

export const readSalience = (element: XmlElement): number | undefined =>
  element.attributes.salience === undefined ? undefined : share(element, 'salience', 'Delta');

/** All of the salience or none: deltas from before salience have none. */
export function wholeSalience(
  root: XmlElement,
  of: readonly (number | undefined)[],
): DeltaSalience | undefined {
  if (root.attributes.salience === undefined) return undefined;
  const operations = of.filter((one) => one !== undefined);
  if (operations.length !== of.length)
    throw new ViDeltaError(`${of.length - operations.length} operations have no salience`, 'Delta');
  return { value: share(root, 'salience', 'Delta'), operations, why: text(root, 'why', 'Delta') };
}

function share(element: XmlElement, name: string, where: string): number {
  const [n] = numbers(element, name, 1, where) as [number];
  if (!(n >= 0 && n <= 1)) throw new ViDeltaError(`'${name}' is not from 0 to 1`, where);
  return n;
}
