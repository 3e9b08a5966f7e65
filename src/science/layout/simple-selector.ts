import type { SnapshotElement } from '../../model/page-snapshot.ts';

/**
 * CSS selectors that test a single element: `div#top.wide[role="banner"]`. Those that look at its surroundings
 * (combinators) or its state (pseudo-classes) are not supported: a snapshot keeps few attributes and no state, and
 * filter lists and people who set weights rarely need more.
 */
export type ElementTest = (element: SnapshotElement) => boolean;

const PART =
  /([a-z][a-z0-9-]*|\*)|#((?:[\w-]|[\u0080-\uffff]|\\.)+)|\.((?:[\w-]|[\u0080-\uffff]|\\.)+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*(i)?\s*)?\]/iy;

/** Undefined for a selector that is not of this kind. Lists (`a, b`) are supported. */
export function simpleSelector(selector: string): ElementTest | undefined {
  const alternatives: ElementTest[] = [];
  let tests: ElementTest[] = [];
  const text = selector.trim();
  for (let at = 0; at < text.length; ) {
    const comma = /\s*,\s*/y;
    comma.lastIndex = at;
    if (tests.length > 0 && comma.test(text)) {
      alternatives.push(all(tests));
      tests = [];
      at = comma.lastIndex;
      continue;
    }
    PART.lastIndex = at;
    const match = PART.exec(text);
    if (!match || (match[1] !== undefined && tests.length > 0)) return undefined;
    tests.push(testOf(match));
    at = PART.lastIndex;
  }
  if (tests.length === 0) return undefined;
  alternatives.push(all(tests));
  return (element) => alternatives.some((test) => test(element));
}

const all =
  (tests: readonly ElementTest[]): ElementTest =>
  (element) =>
    tests.every((test) => test(element));

const unescaped = (name: string): string => name.replace(/\\(.)/gu, '$1');

function testOf(match: RegExpExecArray): ElementTest {
  const [, tag, id, className, attribute, operator, double, single, bare, ignoreCase] = match;
  if (tag === '*') return () => true;
  if (tag !== undefined) return ({ tag: own }) => own === tag.toLowerCase();
  if (id !== undefined) return ({ attributes }) => attributes.id === unescaped(id);
  if (className !== undefined) {
    const wanted = unescaped(className);
    return ({ attributes }) => classesOf(attributes.class).includes(wanted);
  }
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = fold(double ?? single ?? bare ?? '');
  const name = (attribute as string).toLowerCase();
  return ({ attributes }) => {
    const given = attributes[name];
    return given !== undefined && (operator === undefined || compare(fold(given), operator, wanted));
  };
}

export const classesOf = (value: string | undefined): string[] =>
  value === undefined ? [] : value.split(/\s+/u).filter((name) => name !== '');

function compare(given: string, operator: string, wanted: string): boolean {
  if (operator === '=') return given === wanted;
  if (operator === '|=') return given === wanted || given.startsWith(`${wanted}-`);
  // With these operators an empty value matches nothing (Selectors 4 §6.2).
  if (wanted === '') return false;
  if (operator === '^=') return given.startsWith(wanted);
  if (operator === '$=') return given.endsWith(wanted);
  if (operator === '*=') return given.includes(wanted);
  return given.split(/\s+/u).includes(wanted);
}
