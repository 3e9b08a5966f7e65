import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectToWriter, listenAsWriter, removeSocket } from './writer-socket.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'daguerre-'));
  await mkdir(join(root, 'tmp'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Sends back to each asker what it said. */
const echo = (folder: string) =>
  listenAsWriter(folder, (channel) => {
    void (async () => {
      for await (const message of channel.messages()) channel.send({ heard: message });
    })();
  });

async function said(folder: string, message: unknown): Promise<unknown> {
  const channel = await connectToWriter(folder);
  channel?.send(message);
  const answer = await channel?.messages().next();
  channel?.drop();
  return answer?.value;
}

test('a writer that listens => is heard, for its own user alone; closed => nothing is left', async () => {
  const writer = await echo(root);
  expect(await said(root, { ask: 'ü\n', n: 1 })).toEqual({ heard: { ask: 'ü\n', n: 1 } });
  expect((await stat(join(root, 'writer.sock'))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, 'tmp'))).toEqual([]);
  await writer?.close();
  expect(await connectToWriter(root)).toBeUndefined();
  expect(await readdir(root)).toEqual(['tmp']);
});

test('a folder whose path is too long for a socket => a link to one in a private folder', async () => {
  const deep = join(root, 'a'.repeat(120));
  await mkdir(join(deep, 'tmp'), { recursive: true });
  const writer = await echo(deep);
  expect(await said(deep, 1)).toEqual({ heard: 1 });
  const socket = await readlink(join(deep, 'writer.sock'));
  expect((await stat(dirname(socket))).mode & 0o777).toBe(0o700);
  expect((await stat(socket)).mode & 0o777).toBe(0o600);
  await writer?.close();
  expect(existsSync(dirname(socket))).toBe(false);
  expect(await readdir(deep)).toEqual(['tmp']);
});

test('what is there and nobody listens at => nobody; removed, and the next writer is heard', async () => {
  expect(await connectToWriter(root)).toBeUndefined();
  await writeFile(join(root, 'writer.sock'), '');
  expect(await connectToWriter(root)).toBeUndefined();
  const writer = await echo(root);
  expect(await said(root, 'x')).toEqual({ heard: 'x' });
  await writer?.close();
  await removeSocket(root);
});

test('a folder that takes no socket => no writer to ask, and no error', async () => {
  expect(await listenAsWriter(join(root, 'nowhere'), () => {})).toBeUndefined();
});
