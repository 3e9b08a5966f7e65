import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WARCParser } from 'warcio';
import { extractWarcs } from '../../../src/warc/wacz/extract.ts';
import { readWacz } from '../../../src/warc/wacz/read.ts';
import { sharedData } from '../../shared-data.ts';
import { writeParts } from './damaged.ts';
import { validateWacz } from './validate-wacz.ts';

// py-wacz's own examples; skipped where its fixtures are not at hand.
const fixtures = sharedData('fixtures/py-wacz/tests/fixtures');
const at = (name: string) => join(fixtures ?? '', name);

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function recordTypes(path: string): Promise<string[]> {
  const types: string[] = [];
  const parser = new WARCParser(createReadStream(path));
  for await (const record of parser) types.push(record.warcType ?? '');
  return types;
}

describe.skipIf(!fixtures)('valid packages of py-wacz', () => {
  const packages = [
    {
      name: 'valid_example_1.wacz',
      version: '1.0.0',
      entries: 5,
      page: 'http://www.example.com/',
      responses: 1,
    },
    {
      name: 'valid_example_2.wacz',
      version: '1.1.1',
      entries: 6,
      page: 'http://www.example.com/',
      responses: 1,
    },
    {
      name: 'valid_signed_example_1.wacz',
      version: '1.1.1',
      entries: 6,
      page: 'https://example.com/',
      responses: 2,
    },
  ];
  for (const { name, version, entries, page, responses } of packages) {
    it(`${name} => no errors, its page, and ${responses} readable response(s)`, async () => {
      expect(await validateWacz(at(name))).toEqual({ entries, errors: [] });

      const wacz = await readWacz(at(name));
      const pages = [];
      for await (const found of wacz.pages()) pages.push(found);
      await wacz.close();
      expect(wacz.datapackage?.version).toBe(version);
      expect(pages).toMatchObject([{ url: page, title: 'Example Domain' }]);
      expect(wacz.problems).toEqual([]);

      const { warcs, problems } = await extractWarcs(at(name), dir);
      expect(problems).toEqual([]);
      expect(await readdir(dir)).toEqual(warcs.map(({ path }) => basename(path)));
      const types = await recordTypes(warcs[0]?.path ?? '');
      expect(types.filter((type) => type === 'response')).toHaveLength(responses);
    });
  }
});

describe('packages of several WACZ files', () => {
  const multi = JSON.stringify({
    profile: 'multi-wacz-package',
    resources: [{ name: 'a', path: 'https://archive.example/a.wacz', hash: 'sha256:00', bytes: 1 }],
  });

  it('as JSON, and as ZIP => named as unsupported with its parts, nothing else said', async () => {
    const json = join(dir, 'multi.json');
    await writeFile(json, multi);
    const zip = await writeParts(join(dir, 'multi.wacz'), [
      { name: 'datapackage.json', content: Buffer.from(multi), method: 'deflate' },
    ]);
    for (const path of [json, zip]) {
      const { errors } = await validateWacz(path);
      expect(errors).toHaveLength(1);
      expect(errors[0]?.reason).toMatch(
        /several WACZ files \(multi-wacz-package\).*archive\.example\/a\.wacz/,
      );
      expect((await extractWarcs(path, dir)).warcs).toEqual([]);
    }
  });

  it('a file that does not exist => thrown, for it is no fault of the content', async () => {
    await expect(validateWacz(join(dir, 'none.wacz'))).rejects.toThrow(/ENOENT/);
  });
});
