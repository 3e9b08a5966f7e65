import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { complaints, daguerre, temporaryFolder } from './daguerre.ts';
import { bring, warcRecord, webCaptures } from './foreign-records.ts';

/* Files as other tools leave them, brought in, checked and handed on. */

const arcRecord = (line: string, block: string): string => `${line} ${Buffer.byteLength(block)}\n${block}\n`;

it('ARC files => exported as WACZ, converted, with the same captures when imported again', async () => {
  const folder = await temporaryFolder();
  const [archive, copy] = [join(folder, 'a'), join(folder, 'b')];
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Old</title><p>hello</p>';
  const recordsOf = (path: string): string[] => [
    arcRecord('filedesc://old.arc 0.0.0.0 20040102030405 text/plain', '1 0 Test\nURL IP-address\n'),
    arcRecord(`http://example.com/${path} 192.0.2.1 20040102030405 text/html`, answer),
    arcRecord(`http://example.com/${path} with space 192.0.2.1 20040102030406 text/html`, answer),
  ];
  await writeFile(join(folder, 'old.arc'), recordsOf('old').join(''));
  const packed = Buffer.concat(recordsOf('packed').map((record) => gzipSync(record)));
  await writeFile(join(folder, 'packed.arc.gz'), packed);
  await writeFile(join(folder, 'OLD.WARC'), warcRecord('http://example.com/w', 'w'));
  await bring(archive, ...['old.arc', 'packed.arc.gz', 'OLD.WARC'].map((name) => join(folder, name)));
  const out = join(folder, 'out.wacz');
  const exported = await daguerre(['export', '--archive', archive, '--out', out, '--json']);
  expect(exported.stderr).toBe('');
  expect(exported.json()).toMatchObject({
    capturesLeftOut: 0,
    converted: [
      { from: 'old.arc', to: 'old.warc.gz', records: 3, leftOut: 0 },
      { from: 'packed.arc.gz', to: 'packed.warc.gz', records: 3, leftOut: 0 },
    ],
  });
  const again = await bring(copy, out);
  expect(again).toMatchObject({ code: 0, report: { errors: [] } });
  expect(await webCaptures(copy)).toEqual(await webCaptures(archive));
  expect(await webCaptures(copy)).toHaveLength(5);
  expect(await complaints(archive)).toEqual([]);
  expect(await complaints(copy)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
});

it('records without an id (ARC), or with the same one => each a capture of its own', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>';
  const lines = [1, 2, 3].map((i) => `http://example.com/${i} 192.0.2.1 2004010203040${i} text/html`);
  await writeFile(join(folder, 'three.arc'), lines.map((line) => arcRecord(line, answer)).join(''));
  const twice = ['a', 'b'].map((name) => warcRecord(`http://example.com/${name}`, name, 'one id for both'));
  await writeFile(join(folder, 'twice.warc'), twice.join(''));
  await bring(archive, join(folder, 'three.arc'), join(folder, 'twice.warc'));
  expect((await webCaptures(archive)).map(({ url }) => url.slice(-1))).toEqual(['1', '2', '3', 'a', 'b']);
  expect(await complaints(archive)).toEqual([]);
});

it('gzipped as a whole, under a wrong name, through a pipe => every capture, each file once', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const text = [1, 2, 3].map((i) => warcRecord(`http://example.com/${i}`, `page ${i}`)).join('');
  await writeFile(join(folder, 'whole.warc.gz'), gzipSync(text));
  const whole = await bring(archive, join(folder, 'whole.warc.gz'));
  expect(whole).toMatchObject({ code: 0, report: { files: 1, captures: 3, errors: [] } });
  expect(whole.report?.notes[0]?.reason).toContain('compressed again');
  const [name = ''] = (await readdir(join(archive, 'warc'))).filter((file) => file.startsWith('whole'));
  expect(gunzipSync(await readFile(join(archive, 'warc', name))).toString()).toBe(text);
  expect((await bring(archive, join(folder, 'whole.warc.gz'))).report).toMatchObject({
    files: 0,
    already: 1,
  });

  await writeFile(join(folder, 'plain.txt'), warcRecord('http://example.com/p', 'plain'));
  expect((await bring(archive, join(folder, 'plain.txt'))).report).toMatchObject({ files: 1, captures: 1 });
  expect(await readdir(join(archive, 'warc'))).toContain('plain.txt.warc');

  const pipe = join(folder, 'pipe.warc');
  await new Promise((resolve) => spawn('mkfifo', [pipe]).once('close', resolve));
  const [, piped] = await Promise.all([
    writeFile(pipe, warcRecord('http://example.com/q', 'piped')),
    bring(archive, pipe),
  ]);
  expect(piped.report).toMatchObject({ files: 1, captures: 1, errors: [] });
  expect(await complaints(archive)).toEqual([]);
});

it('indexes, zstd, folders, names of 5,000 characters => told what they are, and what to do', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const files: Record<string, string | Buffer> = {
    'a.cdx':
      ' CDX N b a m s k r M S V g\ncom,example)/ 2020 http://example.com/ text/html 200 X - - 1 0 a.warc\n',
    'b.cdxj': 'com,example)/ 20200102030405 {"url":"http://example.com/"}\n',
    'c.gz': gzipSync('com,example)/ 20200102030405 {"url":"http://example.com/"}\n'),
    'd.warc.zst': Buffer.from('28b52ffd0458090000', 'hex'),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const { code, report } = await bring(archive, ...Object.keys(files).map((name) => join(folder, name)));
  expect(code).toBe(6);
  expect(report?.errors.map(({ reason }) => /is an index|zstd -d/.exec(reason)?.[0])).toEqual([
    'is an index',
    'is an index',
    'is an index',
    'zstd -d',
  ]);
  await mkdir(join(folder, 'sub'));
  for (const [path, words] of [
    [join(folder, 'sub'), 'is a folder'],
    [join(folder, `${'x'.repeat(5000)}.warc`), 'too long'],
    [join(folder, 'absent.warc'), 'does not exist'],
  ] as const) {
    const refused = await bring(archive, path);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(words);
  }
});

it('URLs of 5,000 characters, names of 200 => captured, verified, exported, imported again', async () => {
  const folder = await temporaryFolder();
  const [archive, copy] = [join(folder, 'a'), join(folder, 'b')];
  const long = `http://example.com/${'long/'.repeat(1000)}?${'é'.repeat(500)}`;
  const file = join(folder, `${'n'.repeat(240)}.warc`);
  await writeFile(file, warcRecord(long, 'far away'));
  expect(await bring(archive, file)).toMatchObject({ code: 0, report: { captures: 1, errors: [] } });
  const out = join(folder, 'out.wacz');
  expect((await daguerre(['export', '--archive', archive, '--out', out, '--json'])).code).toBe(0);
  expect(await bring(copy, out)).toMatchObject({ code: 0, report: { errors: [] } });
  expect((await webCaptures(copy)).map(({ url }) => url)).toEqual([long]);
  for (const one of [archive, copy]) expect(await complaints(one)).toEqual([]);
});

it('verify with one thread and with four => the same words', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const body = (i: number): string => createHash('sha512').update(String(i)).digest('hex').repeat(200);
  for (const part of [1, 2]) {
    const records = Array.from({ length: 300 }, (_, i) =>
      warcRecord(`http://example.com/${part}/${i}`, body(i)),
    );
    await writeFile(join(folder, `${part}.warc`), records.join(''));
  }
  await bring(archive, join(folder, '1.warc'), join(folder, '2.warc'));
  const path = join(archive, 'warc', '1.warc');
  const bytes = await readFile(path);
  expect(bytes.length).toBeGreaterThan(5_000_000);
  bytes.write('XXXX', bytes.indexOf('WARC/1.0', bytes.length / 2));
  await writeFile(path, bytes);
  const said = await Promise.all(
    ['1', '2', '4'].map(async (threads) => {
      const { code, stdout } = await daguerre([
        'verify',
        '--archive',
        archive,
        '--json',
        '--threads',
        threads,
      ]);
      return { code, stdout };
    }),
  );
  expect(said[0]?.code).toBe(6);
  expect(said[1]).toEqual(said[0]);
  expect(said[2]).toEqual(said[0]);
});

it('records of an unknown version => read as far as they can be, told, exit 6, by verify and reindex too', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const [file, hologram] = [join(folder, 'nine.warc'), join(folder, 'hologram.warc')];
  const of = (name: string) => warcRecord(`http://example.com/${name}`, name, name, undefined, '9.0');
  // Damage between them: the next record is found all the same.
  await writeFile(file, `${of('a')}noise\r\n${of('b')}`);
  await writeFile(hologram, 'WARC/9.0\r\nWARC-Type: hologram\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  const two = await bring(archive, file);
  expect(two).toMatchObject({ code: 6, report: { files: 1 } });
  expect(two.report?.errors.map(({ reason }) => reason).join()).toMatch(/'WARC\/9\.0', which is not known/);
  expect((await webCaptures(archive)).map(({ url }) => url)).toContain('http://example.com/b');
  const none = await bring(archive, hologram);
  expect(none).toMatchObject({ code: 6, report: { files: 1, captures: 0 } });
  expect(none.report?.errors.map(({ reason }) => reason).join()).toContain("'WARC/9.0', which is not known");
  expect(none.report?.notes[0]?.reason).toContain("of the type 'hologram'");
  expect(none.report?.warnings[0]?.reason).toContain('no capture in it');
  expect((await daguerre(['verify', '--archive', archive])).code).toBe(6);
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(6);
});

it('a file without a capture in it => said so', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'info.warc');
  const fields = [
    'WARC/1.0',
    'WARC-Type: warcinfo',
    'WARC-Record-ID: <urn:x:i>',
    'WARC-Date: 2020-01-02T03:04:05Z',
  ];
  await writeFile(file, `${fields.join('\r\n')}\r\nContent-Length: 0\r\n\r\n\r\n\r\n`);
  const { code, report } = await bring(join(folder, 'archive'), file);
  expect(code).toBe(0);
  expect(report?.warnings[0]?.reason).toContain('no capture in it');
  // One after the other: an export beside a rebuild may meet a catalog that has no files yet.
  for (const command of [
    ['reindex'],
    ['export', '--format', 'cdxj', '--out', join(folder, 'a.cdxj')],
    ['export', '--out', join(folder, 'a.wacz')],
  ]) {
    const run = await daguerre([...command, '--archive', join(folder, 'archive'), '--json']);
    expect(run.json()).toMatchObject({ captures: 0 });
  }
  const shown = await daguerre(['import', file, '--archive', join(folder, 'other')]);
  expect(shown.stdout).toContain('no capture in it');
});

it('a record that stands in two files => one capture, counted once, told', async () => {
  const folder = await temporaryFolder();
  const [one, two] = ['one', 'two'].map((name) => warcRecord(`http://example.com/${name}`, name));
  await writeFile(join(folder, 'a.warc'), `${one}`);
  await writeFile(join(folder, 'b.warc'), `${one}${two}`);
  const { code, report } = await bring(
    join(folder, 'archive'),
    ...['a', 'b'].map((name) => join(folder, `${name}.warc`)),
  );
  expect(code).toBe(0);
  expect(report).toMatchObject({ files: 2, captures: 2 });
  expect(report?.notes.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^1 of its captures are known already/),
  ]);
  expect(await webCaptures(join(folder, 'archive'))).toHaveLength(2);
});

it('records of the year 2999 => taken as dated; a warning of import, reindex and verify', async () => {
  const folder = await temporaryFolder();
  const archive = join(folder, 'archive');
  const url = 'http://example.com/';
  const records = [warcRecord(url, 'late', 'late', '2999-01-02T03:04:05Z'), warcRecord(url, 'now')];
  await writeFile(join(folder, 'a.warc'), records.join(''));
  const { code, report } = await bring(archive, join(folder, 'a.warc'));
  expect(code).toBe(0);
  const ofFuture = [expect.stringContaining('1 of its captures are dated in the future (2999-01-02')];
  expect(report?.warnings.map(({ reason }) => reason)).toEqual(ofFuture);
  expect((await webCaptures(archive)).map(({ at }) => new Date(at).getUTCFullYear())).toEqual([2020, 2999]);
  const verified = await daguerre(['verify', '--archive', archive, '--json']);
  expect(verified.code).toBe(0);
  const { warnings } = verified.json<{ warnings: { reason: string }[] }>();
  expect(warnings.map(({ reason }) => reason)).toEqual([expect.stringContaining('dated in the future')]);
});
