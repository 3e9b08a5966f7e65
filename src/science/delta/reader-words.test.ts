import { describe, expect, it } from 'vitest';
import type { ChangeOperation } from '../../model/change.ts';
import { lineText, readerReport, summaryText } from './reader-words.ts';

const operation = (more: Partial<ChangeOperation>): ChangeOperation => ({
  op: 'insert',
  element: 'text',
  block: 'B1.1',
  weight: 0.1,
  ...more,
});
const PLACES = {
  old: (ref: string) => (ref === 'B1.1' ? 'lead story' : 'right sidebar, first screen'),
  new: (ref: string) => (ref === 'B1.1' ? 'lead story' : 'main column, third screen'),
};
const told = (...operations: ChangeOperation[]) => readerReport(operations, PLACES);
const lines = (...operations: ChangeOperation[]) =>
  told(...operations).lines.map((line) => `${line.place}: ${lineText(line)}`);

describe('a change in the words of a reader', () => {
  it('one gone and one new of a kind in one block => replaced', () => {
    expect(
      lines(
        operation({ new: 'Sun' }),
        operation({ op: 'delete', old: 'Rain' }),
        operation({ block: 'B1.2', new: 'Ferry' }),
      ),
    ).toEqual(['lead story: replaced: “Sun” (was “Rain”)', 'main column, third screen: new: “Ferry”']);
  });

  it('what is gone => where it was; the heaviest first', () => {
    expect(
      lines(
        operation({ weight: 0.1, new: 'Sun' }),
        operation({ op: 'delete', block: 'B1.2', old: 'Rain', weight: 0.3 }),
      ),
    ).toEqual(['right sidebar, first screen: gone: “Rain”', 'lead story: new: “Sun”']);
  });

  it('a headline in a link and beside it, and its picture => told once', () => {
    expect(
      lines(
        operation({ element: 'link', new: 'Eggs : how to', newAddress: 'https://a.test/eggs' }),
        operation({ new: 'Eggs: how to' }),
        operation({ element: 'image', new: 'Eggs', newAddress: 'https://a.test/eggs.png' }),
      ),
    ).toEqual(['lead story: new: “Eggs : how to”']);
  });

  it('only figures differ => counted apart', () => {
    const report = told(
      operation({ op: 'update', old: '193 comments', new: '197 comments' }),
      operation({ op: 'update', old: 'at 9:15', new: 'at 10:00', block: 'B1.2' }),
    );
    expect([report.lines.length, report.figures.length]).toEqual([0, 2]);
    expect(summaryText(report)).toBe('Only figures: 2 counts, times or prices changed');
  });

  it('figures that a reader would want to be told of, 210 or 310 millions in the lead => a line of their own', () => {
    const lead = {
      op: 'update',
      old: 'It costs 210 million euro',
      new: 'It costs 310 million euro',
    } as const;
    expect(told(operation({ ...lead, salience: 0.11 })).lines).toMatchObject([
      { text: lead.new, before: lead.old },
    ]);
    expect(told(operation({ ...lead, salience: 0.01 })).lines).toEqual([]);
  });

  it('a link with the same words => where it leads; a picture without a name => its file', () => {
    expect(
      lines(
        operation({
          op: 'update',
          element: 'link',
          old: 'More',
          new: 'More',
          oldAddress: 'https://a.test/1',
          newAddress: 'https://a.test/2',
        }),
        operation({
          element: 'image',
          new: '',
          newAddress: 'https://a.test/pictures/bay.png?v=1',
          weight: 0.01,
        }),
      ),
    ).toEqual([
      'lead story: link leads elsewhere: “More (https://a.test/2)”',
      'lead story: picture new: “bay.png”',
    ]);
  });

  it('a picture in place of another of its name => told apart by their files; of one file too => once', () => {
    const picture = (more: Partial<ChangeOperation>) =>
      operation({ op: 'update', element: 'image', old: 'The bay', new: 'The bay', ...more });
    const file = (name: string) => `https://a.test/${name}.png`;
    expect(lines(picture({ oldAddress: file('dawn'), newAddress: file('dusk') }))).toEqual([
      'lead story: picture changed: “The bay (dawn.png)” → “The bay (dusk.png)”',
    ]);
    expect(lines(picture({ oldAddress: file('bay'), newAddress: file('bay') }))).toEqual([
      'lead story: picture changed: “The bay”',
    ]);
    expect(lines(picture({ old: '', new: '', oldAddress: file('dawn'), newAddress: file('dusk') }))).toEqual([
      'lead story: picture changed: “dawn.png” → “dusk.png”',
    ]);
    expect(
      lines(
        operation({ element: 'image', new: 'The bay', newAddress: file('dusk') }),
        operation({ op: 'delete', element: 'image', old: 'The bay', oldAddress: file('dawn') }),
      ),
    ).toEqual(['lead story: picture replaced: “The bay (dusk.png)” (was “The bay (dawn.png)”)']);
  });

  it('a block that moved and holds another story now => the story is new, and has not moved', () => {
    const moved = operation({ op: 'move', element: 'block', block: 'B1.1', from: 'B1.2' });
    const came = operation({ element: 'link', new: 'A bridge for Bonn, at last' });
    const report = readerReport([moved, came], { ...PLACES, named: () => 'A bridge for Bonn' });
    expect(report.lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['new', 'A bridge for Bonn, at last'],
    ]);
    expect(report.moved).toEqual(['lead story']);
  });

  it('a story that moved => what, where to and where from; one that nothing names => counted by its place', () => {
    const moved = operation({ op: 'move', element: 'block', block: 'B1.1', from: 'B1.2' });
    const named = readerReport([moved], { ...PLACES, named: () => 'A bridge for Bonn' });
    expect(summaryText(named)).toBe(
      'Lead story, moved: “A bridge for Bonn”, from right sidebar, first screen',
    );
    expect(summaryText(readerReport([moved], { ...PLACES, named: () => '' }))).toBe(
      'Another order: one part of the page stands elsewhere (lead story)',
    );
    expect(
      lines(operation({ op: 'move', element: 'link', new: 'Ferry', block: 'B1.2', from: 'B1.1' })),
    ).toEqual(['main column, third screen: moved: “Ferry”, from lead story']);
  });

  it('blocks cut otherwise => not told, but counted', () => {
    const report = told(operation({ op: 'update', element: 'block', old: 'B1.1', new: 'B1.1 B1.2' }));
    expect([report.lines, report.reshaped]).toEqual([[], 1]);
    expect(summaryText(report)).toMatch(/^Nothing that a reader would notice: /);
  });

  it('nothing => nothing; one and more => the first, and how many', () => {
    expect(summaryText(told())).toBe('Nothing that a reader would notice.');
    const many = [
      operation({ new: 'Sun', weight: 1 }),
      operation({ new: 'Moon' }),
      operation({ op: 'move', new: 'Star', block: 'B1.2' }),
    ];
    expect(summaryText(told(...many))).toBe('Lead story, new: “Sun”; 2 more: 1 new, 1 moved');
  });

  it('the end of a long text changed => quoted from there', () => {
    const long =
      'It rained all day and nobody went out to the harbour, said the mayor of the town in the evening on ';
    expect(lines(operation({ op: 'update', old: `${long}Monday`, new: `${long}Tuesday` }))).toEqual([
      'lead story: changed: “…the town in the evening on Monday” → “…the town in the evening on Tuesday”',
    ]);
  });
});
