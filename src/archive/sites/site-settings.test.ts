import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../given/config-file.ts';
import { SITE_RULES } from './site-settings.ts';

const FILE = z.strictObject({ sites: SITE_RULES });

describe('rules of sites in a configuration file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sites-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const read = async (lines: readonly string[]) => {
    const path = join(folder, 'sites.yaml');
    await writeFile(path, `# what is a site\nsites:\n${lines.map((line) => `  - ${line}\n`).join('')}`);
    const value = await readConfig(path, FILE).catch((error: Error) => error.message.replace(path, ''));
    return typeof value === 'string' ? value : FILE.parse(value).sites;
  };

  it('a list and two directories => parts in one spelling, the first names the site', async () => {
    expect(
      await read(['[www.Inria.fr, www-rocq.inria.fr]', 'people.example.org/~*', 'example.org/club/']),
    ).toEqual([['inria.fr', 'www-rocq.inria.fr'], ['people.example.org/~*'], ['example.org/club']]);
  });

  it.each([
    [['example.org'], ':3: sites.0: example.org is a site already, as every host'],
    [['a.org/x', '[b.org, a.org/x]'], ':4: sites.1: a.org/x is in a rule already'],
    [['[a.org/x/*, b.org]'], ':3: sites.0: * makes many sites'],
    [['[]'], ':3: sites.0: an empty list makes no site'],
    [['a.org/*/x'], ":3: sites.0.0: 'a.org/*/x' is neither a host nor a directory"],
    [['[a.org, 5]'], ':3: sites.0: expected a directory, or a list'],
    [['{ a: b }'], ':3: sites.0: expected a directory, or a list'],
  ])('%j => %s', async (lines, complaint) => expect(await read(lines)).toContain(complaint));
});
