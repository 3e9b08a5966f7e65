import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dot } from '@observablehq/plot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../archive/user-error.ts';
import { experiment } from '../../lab/experiment/experiment.ts';
import { ScheduleInputError } from '../../science/sharpness/schedule.ts';
import { figureSvg } from './figure.ts';
import { KeptSnapshots } from './kept-snapshots.ts';
import { showExperiment } from './show-experiment.ts';
import { openVersionSet } from './version-set.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daguerre-lab-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function writePage(into: string, name: string, versions: readonly string[], html = '<p>x'): void {
  mkdirSync(join(into, name), { recursive: true });
  for (const version of versions) writeFileSync(join(into, name, `${version}.html`), html);
  writeFileSync(join(into, name, 'versions.tsv'), 'file\n');
}

describe('openVersionSet', () => {
  test('a folder of pages => pages by name, versions by time; a page of one version is left out', async () => {
    writePage(folder, 'b', ['20220102T000000Z', '20220101T000000Z']);
    writePage(folder, 'a', ['1', '2'], '<link href="https://a.example/home" rel="canonical"/>');
    writePage(folder, 'alone', ['1']);
    const { pages } = await openVersionSet(folder);
    expect(pages.map(({ name, url }) => [name, url])).toEqual([
      ['a', 'https://a.example/home'],
      ['b', 'https://b.invalid/'],
    ]);
    expect(pages[1]?.versions.map(({ version }) => version)).toEqual([
      '20220101T000000Z',
      '20220102T000000Z',
    ]);
  });

  test('one tar file of a page => the same, and nothing left behind', async () => {
    writePage(folder, 'a', ['1', '2']);
    const archive = join(folder, 'a.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', folder, 'a']);
    const set = await openVersionSet(archive);
    const path = set.pages[0]?.versions[0]?.path ?? '';
    expect(set.pages.map(({ name }) => name)).toEqual(['a']);
    expect(readdirSync(join(path, '..'))).toContain('1.html');
    await set.close();
    expect(() => readdirSync(join(path, '..'))).toThrow('ENOENT');
  });

  test('7 versions, at most 5 => the 3 oldest and the 2 newest', async () => {
    writePage(folder, 'a', ['1', '2', '3', '4', '5', '6', '7']);
    const { pages } = await openVersionSet(folder, { most: 5 });
    expect(pages[0]?.versions.map(({ version }) => version)).toEqual(['1', '2', '3', '6', '7']);
  });

  test.each([
    ['nothing there', 'absent', 'is not there'],
    ['no page in it', '', 'holds no page with two versions'],
  ])('%s => said in words', async (_case, path, reason) => {
    await expect(openVersionSet(join(folder, path))).rejects.toThrow(reason);
  });
});

test('a snapshot is taken once per look, again for other HTML, and not kept when taking it failed', async () => {
  const kept = new KeptSnapshots(folder);
  let taken = 0;
  const get = (html: string, look: string) =>
    kept.get(
      'a',
      '1',
      { url: 'https://a.example/', html: Buffer.from(html), look },
      async () => `${++taken}`,
    );
  const fails = kept.get('a', '0', { url: '', html: Buffer.from(''), look: '' }, async () => {
    throw new Error('no browser');
  });
  await expect(fails).rejects.toThrow('no browser');
  expect(await get('x', '')).toBe('1');
  expect(await get('x', '')).toBe('1');
  expect(await get('x', '1')).toBe('2');
  expect(await get('y', '')).toBe('3');
});

test('a figure is one SVG with its title in words', () => {
  const svg = figureSvg({ marks: [dot([[1, 2]])] }, { title: 'A < B', description: 'one dot' });
  expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(svg).toContain('<title>A &lt; B</title><desc>one dot</desc>');
  expect(svg).toContain('<circle');
});

test.each([
  ['what no schedule can be made of', new ScheduleInputError('the delay must be > 0'), UserError],
  ['a fault of ours', new TypeError('x is undefined'), TypeError],
])('%s, in any experiment => told as such', async (_, thrown, kind) => {
  const faulty = experiment<undefined, never>({
    name: 'faulty',
    title: '',
    method: '',
    measure: () => {
      throw thrown;
    },
  });
  const shown = showExperiment(faulty, undefined, { json: false });
  await expect(shown).rejects.toThrow(thrown.message);
  await expect(shown).rejects.toBeInstanceOf(kind);
});
