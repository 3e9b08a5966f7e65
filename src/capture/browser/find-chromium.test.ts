import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findChromium, unpackInto } from './find-chromium.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'daguerre-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function executable(name: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, 0o755);
  return file;
}

test('CHROME_PATH => that file, before any on PATH', async () => {
  const named = await executable('mine');
  await executable('chromium');
  const found = await findChromium({ env: { CHROME_PATH: named, PATH: folder }, beyondPath: false });
  expect(found).toEqual({ path: named, from: 'CHROME_PATH', env: {} });
});

test('CHROME_PATH to nothing => an error that names it', async () => {
  const missing = path.join(folder, 'none');
  await expect(findChromium({ env: { CHROME_PATH: missing }, beyondPath: true })).rejects.toThrow(missing);
});

test('chromium and a headless shell on PATH => the shell, which starts faster', async () => {
  await executable('chromium');
  const shell = await executable('chromium-headless-shell');
  const found = await findChromium({ env: { PATH: folder }, beyondPath: false });
  expect(found).toEqual({ path: shell, from: 'installed', env: {} });
});

test('nowhere => an error that says how to get one', async () => {
  await expect(findChromium({ env: { PATH: folder }, beyondPath: false })).rejects.toThrow(
    /npm install @sparticuz\/chromium.*CHROME_PATH/,
  );
});

test('three processes unpack at once => one whole folder, nothing else left', async () => {
  const target = path.join(folder, 'unpacked');
  const unpack = async (fresh: string) => {
    const file = path.join(fresh, 'chromium');
    await writeFile(file, 'half');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writeFile(file, 'half whole');
    await chmod(file, 0o755);
  };
  const found = await Promise.all([1, 2, 3].map(() => unpackInto(target, unpack)));
  for (const each of found) {
    expect(each.path).toBe(path.join(target, 'chromium'));
    expect((await stat(each.path)).size).toBe('half whole'.length);
  }
  expect(await readdir(folder)).toEqual(['unpacked']);
});

test('unpacking fails => an error with the cause, and no half folder', async () => {
  const failing = unpackInto(path.join(folder, 'unpacked'), () => Promise.reject(new Error('disk full')));
  await expect(failing).rejects.toThrow(/unpacking/);
  expect(await readdir(folder)).toEqual([]);
});
