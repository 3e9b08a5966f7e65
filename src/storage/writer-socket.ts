import { chmod, mkdtemp, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The connection between one asker and the writer: JSON, one message per line. */
export interface WriterChannel {
  /** Does nothing once the other side is gone. */
  send(message: unknown): void;
  /** Ends when the other side does. */
  messages(): AsyncGenerator<unknown>;
  /** Aborted when the other side is gone. */
  readonly gone: AbortSignal;
  end(): void;
  /** Closes it without waiting for the other side. */
  drop(): void;
}

export interface WriterSocket {
  /** Accepts no more askers; open channels stay open. */
  close(): Promise<void>;
}

/** Longest socket address used, in bytes; the system limits are 108 on Linux, 104 elsewhere, including a final zero. */
const LONGEST_ADDRESS = 100;
/** A longer line is not a message: a report lists at most a few thousand findings. */
const LONGEST_LINE = 64 << 20;

const addressIn = (root: string): string => join(root, 'writer.sock');
const isTooLong = (path: string): boolean => Buffer.byteLength(path) > LONGEST_ADDRESS;

/**
 * The holder of the archive's lock listens in its folder, for its own user only. Where that path is too long for a
 * socket, the socket is in a private temporary folder, with a link in its place. Undefined where the disk does not
 * support sockets: the archive is written all the same.
 */
export async function listenAsWriter(
  root: string,
  onAsker: (channel: WriterChannel) => void,
): Promise<WriterSocket | undefined> {
  const server = createServer((socket) => onAsker(channelOf(socket)));
  const close = async (): Promise<void> => {
    // Not awaited: it would wait for the channels that are still open.
    server.close();
    await removeSocket(root);
  };
  try {
    await removeSocket(root);
    const isLong = isTooLong(join(root, 'tmp', 'w-XXXXXX', 's'));
    // Created in a folder that only we can access until the socket's own permissions are set: it is never
    // accessible to others, not even for a moment.
    const folder = isLong ? await shortFolder() : await mkdtemp(join(root, 'tmp', 'w-'));
    const path = join(folder, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).once('listening', resolve).listen(path);
    });
    await chmod(path, 0o600);
    if (isLong) await symlink(path, addressIn(root));
    else {
      await rename(path, addressIn(root));
      await rmdir(folder);
    }
    server.on('error', () => {});
    // Askers do not keep a writer alive that has nothing else to do.
    server.unref();
    return { close };
  } catch {
    await close().catch(() => {});
    return undefined;
  }
}

async function shortFolder(): Promise<string> {
  const short = [tmpdir(), '/tmp'].find((path) => !isTooLong(join(path, 'daguerre-XXXXXX', 's')));
  if (short === undefined) throw new Error('no folder has a path that is short enough for a socket');
  return mkdtemp(join(short, 'daguerre-'));
}

/** Removes what a killed writer left. Only for the holder of the lock. */
export async function removeSocket(root: string): Promise<void> {
  const own = addressIn(root);
  const elsewhere = await readlink(own).catch(() => undefined);
  await rm(own, { force: true });
  if (elsewhere === undefined) return;
  await rm(elsewhere, { force: true });
  await rmdir(dirname(elsewhere)).catch(() => {});
}

/** Undefined where nobody listens, or not for this user. */
export async function connectToWriter(root: string): Promise<WriterChannel | undefined> {
  const own = addressIn(root);
  const path = isTooLong(own) ? await readlink(own).catch(() => undefined) : own;
  if (path === undefined) return undefined;
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('error', () => resolve(undefined));
    socket.once('connect', () => resolve(channelOf(socket)));
  });
}

function channelOf(socket: Socket): WriterChannel {
  const gone = new AbortController();
  // The error adds nothing: the connection is closed.
  socket.on('error', () => {});
  socket.once('close', () => gone.abort());
  return {
    gone: gone.signal,
    send(message) {
      if (!socket.destroyed && socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    messages: () => messagesOf(socket),
    end: () => socket.end(),
    drop: () => socket.destroy(),
  };
}

async function* messagesOf(socket: Socket): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of socket) {
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
      if (rest.length > LONGEST_LINE) return;
    }
  } catch (error) {
    // A broken connection has ended, and so has one that violates the protocol.
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}
