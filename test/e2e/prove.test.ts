import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SignedProof } from '../../src/model/proof.ts';
import { daguerre, FAST, temporaryFolder } from './daguerre.ts';
import { page, startSite } from './small-site.ts';

it('a sharp capture, a phrase in its time => proven, contradicted and unknown, page by page; verify says the same', {
  timeout: 120_000,
}, async () => {
  let turns = 0;
  const site = await startSite((path) => {
    if (path === '/') return page('Home', ['/free', '/paid', '/restless', '/data']);
    if (path === '/free') return page('Free', [], 'Everything here is <b>free</b> of\n charge. '.repeat(9));
    if (path === '/paid') return page('Paid', [], 'Everything here has its price. '.repeat(9));
    if (path === '/restless') return page('Restless', [], `Free of charge, turn ${turns++}. `.repeat(9));
    if (path === '/data')
      return {
        body: `{"text":"${'free of charge '.repeat(20)}"}`,
        headers: { 'Content-Type': 'application/json' },
      };
    return undefined;
  });
  const archive = await temporaryFolder();
  const options = ['--archive', archive];
  try {
    const archived = await daguerre(['archive', `${site.url}/`, ...options, ...FAST, '--revisit', 'sharp']);
    expect(archived.code).toBe(0);
    const report = await daguerre(['report', new URL(site.url).host, ...options, '--json']);
    const { certificate, observation } = report.json<{
      certificate: {
        statement: { version: number; date: { strict: { time: string } }; interval: { start: string } };
      };
      observation: { start: number; blur: number; previousEnd: null };
    }>();
    expect(certificate.statement.version).toBe(6);
    expect([observation.start, observation.previousEnd]).toEqual([
      Date.parse(certificate.statement.interval.start),
      null,
    ]);
    const at = certificate.statement.date.strict.time;
    const host = new URL(site.url).host;
    const file = join(archive, 'proof.json');
    const prove = (...more: string[]) =>
      daguerre(['prove', '--site', host, '--at', at, ...more, 'FREE of charge', ...options, '--out', file]);

    const present = await prove();
    expect(present.code).toBe(8);
    const proof: SignedProof = JSON.parse(await readFile(file, 'utf8'));
    const answers = Object.fromEntries(
      proof.statement.pages.map(({ url, answer }) => [new URL(url).pathname, answer]),
    );
    expect(answers).toEqual({
      '/': 'contradicted',
      '/free': 'proven',
      '/paid': 'contradicted',
      '/restless': 'unknown',
      '/data': 'unknown',
    });
    expect(present.stdout).toContain('proven       1');
    const verified = await daguerre(['verify', ...options, '--proof', file]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('as the records say')]);

    const absent = await prove('--absent', '--page', `${site.url}/paid`);
    expect([absent.code, absent.stdout]).toEqual([
      0,
      expect.stringContaining('/paid: the phrase stood there in no'),
    ]);

    await writeFile(file, JSON.stringify(proof).replace('"answer":"unknown"', '"answer":"proven"'));
    const forged = await daguerre(['verify', ...options, '--proof', file]);
    expect([forged.code, forged.stdout]).toEqual([6, expect.stringContaining('signature does not fit')]);

    const never = await daguerre([
      'prove',
      '--site',
      host,
      '--at',
      '1999-01-01',
      '--absent',
      'x',
      ...options,
    ]);
    expect([never.code, never.stdout]).toEqual([8, expect.stringContaining('unknown      5')]);
    const nowhere = await daguerre(['prove', '--site', 'nobody.example', '--at', at, 'x', ...options]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringContaining('no certificate in the archive'),
    ]);
    const timeless = await daguerre(['prove', '--site', host, '--from', at, 'x', ...options]);
    expect([timeless.code, timeless.stderr]).toEqual([
      2,
      expect.stringContaining('--at a moment, or --from and --to'),
    ]);
  } finally {
    await site.close();
  }
});

it('--around: too late, unknown, in time => refused with the earliest middle, refused, begun so that it is the middle', {
  timeout: 120_000,
}, async () => {
  const site = await startSite((path) => (path === '/' ? page('Home', ['/a', '/b']) : page(path)));
  const archive = await temporaryFolder();
  const run = (...more: string[]) =>
    daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, ...more]);
  try {
    const unknown = await run('--around', new Date(Date.now() + 3_600_000).toISOString());
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('capture the site once before'),
    ]);
    expect((await run()).code).toBe(0);
    const late = await run('--around', '2001-01-01');
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('the earliest middle possible is')]);
    const around = Date.now() + 12_000;
    const { code, stderr, json } = await run('--around', new Date(around).toISOString());
    const [, begins = ''] = /Begins at (\S+): .* its middle is to be at/.exec(stderr) ?? [];
    expect(code).toBe(0);
    expect(json<{ startedAt: number }>().startedAt).toBeGreaterThanOrEqual(Date.parse(begins));
    const wrong = await run('--around', '7d');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('yet to come')]);
  } finally {
    await site.close();
  }
});
