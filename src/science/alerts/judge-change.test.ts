import { describe, expect, it } from 'vitest';
import type { AlertConditions, AlertRule, AlertWhere } from '../../model/alert.ts';
import type { ChangeOperation } from '../../model/change.ts';
import { parseSelector } from '../../model/css-selector.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import { figure, type JudgedChange, judgeChange } from './judge-change.ts';
import { regionOf } from './region.ts';

const rule = (when: AlertConditions, where: AlertWhere = {}): AlertRule => ({
  name: 'r',
  where,
  when,
  digest: 'none',
  zone: 'UTC',
});

const lead: ChangeOperation = {
  op: 'update',
  element: 'link',
  block: 'B1.2.1',
  weight: 0.1,
  salience: 0.5,
  old: 'Bridge opens',
  new: 'Bridge closed after storm',
};
const price: ChangeOperation = {
  op: 'update',
  element: 'text',
  block: 'B1.3',
  weight: 0.02,
  salience: 0.04,
  old: 'Oil: 98.40 $',
  new: 'Oil: 101.20 $',
};
const banner: ChangeOperation = {
  op: 'insert',
  element: 'image',
  block: 'B1.1',
  weight: 0.3,
  salience: 0.005,
  new: 'Summer sale',
  advertisement: true,
};
const change = (...operations: ChangeOperation[]): JudgedChange => ({
  importance: operations.reduce((sum, { weight }) => sum + weight, 0),
  salience: 1 - operations.reduce((product, { salience = 0 }) => product * (1 - salience), 1),
  why: 'the lead story has news: “Bridge closed after storm”',
  operations,
});
const said = (verdict: ReturnType<typeof judgeChange>): string =>
  verdict.fires ? `yes: ${verdict.summary}` : `no: ${verdict.reason}`;

describe('judgeChange', () => {
  it('salience .52 against .4 and .6 => yes and no, with both numbers', () => {
    expect(said(judgeChange(rule({ salience: 0.4 }), change(lead, price)))).toBe(
      'yes: salience .52 >= .4: the lead story has news: “Bridge closed after storm”',
    );
    expect(said(judgeChange(rule({ salience: 0.6 }), change(lead, price)))).toBe('no: salience .52 < .6');
  });

  it('an advertisement alone => never, under any condition', () => {
    const conditions: AlertConditions[] = [
      { salience: 0 },
      { importance: 0 },
      { appears: ['summer sale'] },
      { operation: { op: 'insert' } },
      { unexpected: 1 },
    ];
    for (const when of conditions)
      expect(said(judgeChange(rule(when), change(banner), { chance: 0 }))).toBe(
        'no: only advertisements changed',
      );
  });

  it('an advertisement beside a small change => counts for nothing', () => {
    expect(said(judgeChange(rule({ importance: 0.2 }), change(banner, price)))).toBe(
      'no: importance .02 < .2',
    );
  });

  it('words => whole words, in any case, that came and did not only change their place', () => {
    expect(said(judgeChange(rule({ appears: ['CLOSED'] }), change(lead)))).toMatch(
      /^yes: “CLOSED” appears: /,
    );
    expect(said(judgeChange(rule({ appears: ['close'] }), change(lead)))).toMatch(/^no: none/);
    expect(said(judgeChange(rule({ appears: ['bridge'] }), change(lead)))).toMatch(/^no: none/);
    expect(said(judgeChange(rule({ vanishes: ['opens'] }), change(lead)))).toMatch(/^yes: “opens” vanishes/);
    const found = judgeChange(rule({ appears: ['101.20'] }), change(lead, price));
    expect(said(found)).toBe(
      'yes: “101.20” appears: Only figures: changed: “Oil: 98.40 $” → “Oil: 101.20 $”',
    );
    expect(found.fires && found.operations[0]).toEqual(price);
    const moved: ChangeOperation = { op: 'move', element: 'link', block: 'B1', weight: 0, new: 'Closed' };
    expect(judgeChange(rule({ appears: ['closed'] }), change(moved)).fires).toBe(false);
  });

  it('operation and element => links that came with their block count', () => {
    const block: ChangeOperation = {
      op: 'insert',
      element: 'block',
      block: 'B1.4',
      weight: 0.1,
      new: 'A · B',
    };
    expect(said(judgeChange(rule({ operation: { op: 'insert', element: 'link' } }), change(block)))).toMatch(
      /^yes: 1 × insert link/,
    );
    expect(said(judgeChange(rule({ operation: { op: 'delete', element: 'link' } }), change(block)))).toBe(
      'no: no delete link',
    );
  });

  it('a number from 98.40 to 101.20 => above 100, not below it, not above 200', () => {
    expect(said(judgeChange(rule({ number: { above: 100 } }), change(lead, price)))).toMatch(
      /^yes: number 98.4 -> 101.2 rose above 100/,
    );
    expect(judgeChange(rule({ number: { crosses: 100 } }), change(price)).fires).toBe(true);
    expect(judgeChange(rule({ number: { below: 100 } }), change(price)).fires).toBe(false);
    expect(judgeChange(rule({ number: { above: 200 } }), change(price)).fires).toBe(false);
    expect(judgeChange(rule({ number: { above: 100, after: 'gas' } }), change(price)).fires).toBe(false);
  });

  it('a block => only operations in it and below it count', () => {
    expect(said(judgeChange(rule({ salience: 0.4 }, { block: 'B1.3' }), change(lead, price)))).toBe(
      'no: salience .04 < .4',
    );
    expect(judgeChange(rule({ salience: 0.4 }, { block: 'B1.2' }), change(lead, price)).fires).toBe(true);
    expect(said(judgeChange(rule({ salience: 0 }, { block: 'B1.20' }), change(lead)))).toBe(
      'no: nothing changed in B1.20',
    );
  });

  it('all conditions on a change must hold of one change', () => {
    expect(judgeChange(rule({ salience: 0.4, appears: ['closed'] }), change(lead)).fires).toBe(true);
    expect(judgeChange(rule({ salience: 0.4, appears: ['strike'] }), change(lead)).fires).toBe(false);
  });

  it('an improbable change => told with its chance; an unknown pattern => not told', () => {
    expect(said(judgeChange(rule({ unexpected: 0.05 }), change(lead), { chance: 0.004 }))).toMatch(
      /^yes: chance .004 < .05, by the pattern/,
    );
    expect(judgeChange(rule({ unexpected: 0.05 }), change(lead), { chance: 0.05 }).fires).toBe(false);
    expect(judgeChange(rule({ unexpected: 0.05 }), change(lead)).fires).toBe(false);
  });

  it('nothing changed, or a rule on other things => no, never an exception', () => {
    expect(said(judgeChange(rule({ salience: 0 }), change()))).toBe('no: nothing changed');
    expect(said(judgeChange(rule({ gone: true }), change(lead)))).toBe(
      'no: the rule does not ask for changes',
    );
    const { salience: _, ...unknown } = change(lead);
    expect(said(judgeChange(rule({ salience: 0.1 }), unknown))).toBe(
      'no: how salient it is was not computed',
    );
  });

  it('a CSS region => the operations it shows, and its number', () => {
    const page = (text: string): PageSnapshot =>
      snapshot([
        ['main', 'news', 'Bridge closed after storm'],
        ['aside', 'ticker', text],
      ]);
    const region = {
      old: regionOf(page('Oil: 98.40 $'), parseSelector('aside.ticker')),
      new: regionOf(page('Oil: 101.20 $'), parseSelector('aside.ticker')),
    };
    const where = { css: 'aside.ticker' };
    expect(said(judgeChange(rule({ salience: 0.4 }, where), change(lead, price), { region }))).toBe(
      'no: salience .04 < .4',
    );
    expect(judgeChange(rule({ number: { above: 100 } }, where), change(price), { region }).fires).toBe(true);
    expect(said(judgeChange(rule({ salience: 0 }, where), change(lead), { region }))).toBe(
      'no: nothing changed in aside.ticker',
    );
    expect(judgeChange(rule({ salience: 0 }, where), change(lead)).fires).toBe(false);
  });
});

it('numbers as they are told: .52, 1, .004', () => {
  expect([0.52, 1, 0.004, 0, 0.5249].map(figure)).toEqual(['.52', '1', '.004', '0', '.52']);
});

/** A body with one element per entry, each with a class and a text. */
function snapshot(elements: readonly (readonly [tag: string, name: string, text: string])[]): PageSnapshot {
  const box = [0, 0, 1, 1] as const;
  const nodes: PageSnapshot['nodes'][number][] = [
    { kind: 'element', parent: -1, box, tag: 'body', style: 0, attributes: {} },
  ];
  for (const [tag, name, text] of elements) {
    nodes.push({ kind: 'element', parent: 0, box, tag, style: 0, attributes: { class: name } });
    nodes.push({ kind: 'text', parent: nodes.length - 1, box, text });
  }
  const size = { width: 1, height: 1 };
  return {
    format: 1,
    url: '',
    title: '',
    language: '',
    viewport: size,
    page: size,
    styles: [],
    nodes,
    facts: [],
  };
}
