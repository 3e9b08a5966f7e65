import { expect, it } from 'vitest';
import type { AlertConditions, AlertRule } from '../../model/alert.ts';
import { memoryBody } from '../../model/body.ts';
import type { Block, Layout } from '../../model/layout.ts';
import { judgeChange } from '../../science/alerts/judge-change.ts';
import { changeOf } from '../../science/delta/change-of.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import { changeFacts, type FactPorts, wholeChange } from './change-facts.ts';

const rule = (when: AlertConditions, css?: string): AlertRule => ({
  ...{ name: 'r', where: css === undefined ? {} : { css }, when, digest: 'none', zone: 'UTC' },
});
const [FROM, TO] = ['2026-03-02T08:00:00.000Z', '2026-03-03T08:00:00.000Z'] as const;

/** A page with one paragraph of 2,000 characters, followed by an ending. */
const layout = (version: string, ending: string): Layout => {
  const text = `${'The terms of service are long. '.repeat(65)}${ending}`;
  const box = [0, 0, 500, 100] as const;
  const none = { links: [], images: [], blocks: [] };
  const leaf: Block = {
    ...{ ref: 'B1.1', id: ending, box, doc: 9, importance: 1, ...none },
    texts: [{ id: ending, text }],
  };
  return {
    ...{ url: 'https://example.org/', title: '', version, segmenter: 'test/1' },
    viewport: { width: 1280, height: 1024 },
    root: { ref: 'B1', id: ending, box, doc: 5, importance: 1, ...none, texts: [], blocks: [leaf] },
  };
};
const delta = diffLayouts(layout(FROM, 'We never sell data.'), layout(TO, 'We may sell data.'));
const change = changeOf(delta);

const records = (stored: Record<string, string>): FactPorts =>
  ({
    catalog: {
      closest: async (uri: string) =>
        stored[uri] === undefined ? undefined : { url: uri, at: Date.parse(TO) },
    },
    reader: {
      read: async ({ url }: { url: string }) => ({
        payload: memoryBody(new TextEncoder().encode(stored[url])),
      }),
    },
  }) as unknown as FactPorts;

it('a word past the thousandth character of a text => found in the stored delta, or in the one at hand', async () => {
  const wanted = rule({ vanishes: ['never'] });
  const fires = async (ports: FactPorts, viDelta?: string) =>
    judgeChange(wanted, await wholeChange(wanted, change, ports, viDelta === undefined ? {} : { viDelta }))
      .fires;
  expect(judgeChange(wanted, change).fires).toBe(false);
  expect(await fires(records({ 'urn:delta:https://example.org/': writeViDelta(delta) }))).toBe(true);
  expect(await fires(records({}), writeViDelta(delta))).toBe(true);
  expect(await fires(records({}))).toBe(false);
  expect(await fires(records({ 'urn:delta:https://example.org/': 'damaged' }))).toBe(false);
});

it('a rule that reads no texts => the change as it is, no record is asked for', async () => {
  expect(await wholeChange(rule({ salience: 0.4 }), change, records({}))).toBe(change);
});

it('a region of which no snapshot is stored, or a damaged one => unknown', async () => {
  const wanted = rule({ importance: 0 }, 'main');
  expect(await changeFacts(wanted, change, records({}))).toEqual({});
  expect(await changeFacts(wanted, change, records({ 'urn:snapshot:https://example.org/': '{' }))).toEqual(
    {},
  );
});
