import type { CertificateStatement } from '../../model/certificate.ts';
import { visitsInPlaces } from './breadth-first-places.ts';

/**
 * How many pages were expected to be sharp, in this order and in breadth-first order run twice, if rates are as assumed
 * (SHARC 2009, Theorem 7.8). Compared with the number that came out sharp it tells luck from skill. Not part of the
 * statement: exp differs in its last digit between machines.
 */
export function expectedSharpness({
  pages,
}: Pick<CertificateStatement, 'pages'>):
  | { readonly order: number; readonly breadthFirst: number }
  | undefined {
  const times = pages.map(({ visit, revisit }) =>
    (revisit ? [visit, revisit] : [visit]).map(({ time }) => Date.parse(time) / 1000),
  );
  const revisited = pages.map(({ revisit }) => revisit !== undefined);
  if (!revisited.includes(true)) return undefined;
  const other = visitsInPlaces(
    times.flat(),
    pages.map(({ breadthFirst }) => breadthFirst),
    revisited,
  );
  const expected = (visits: readonly (readonly number[])[]): number =>
    pages.reduce((sum, { rate }, i) => {
      const [first, second] = visits[i] ?? [];
      return first === undefined || second === undefined ? sum : sum + Math.exp(-rate * (second - first));
    }, 0);
  return { order: expected(times), breadthFirst: expected(other) };
}
