import dgram from 'node:dgram';
import net from 'node:net';
import { CANARY_ADDRESS, CANARY_PORT } from './hostile-page.ts';

/**
 * Everything that leaves a browser inside the test's own network namespace ends here: it is the only resolver, every
 * name below `canary.test` leads to it, and it listens where the hostile page sends things.
 */
export interface Canary {
  /** What was heard since the last call. */
  heard(): readonly string[];
  close(): void;
}

const TCP_PORTS = [53, 80, 443, CANARY_PORT];
const UDP_PORTS = [443, CANARY_PORT, 5349];

export async function startCanary(): Promise<Canary> {
  let heard: string[] = [];
  const closing: (() => void)[] = [];
  for (const port of TCP_PORTS) {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        heard.push(`tcp ${port} ${/^host: (\S+)/im.exec(data.toString('latin1'))?.[1] ?? 'data'}`);
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      });
      heard.push(`tcp ${port} connection`);
    });
    await new Promise<void>((done) => server.listen(port, CANARY_ADDRESS, done));
    closing.push(() => server.close());
  }
  const bound = async (
    port: number,
    hear: (data: Buffer, from: dgram.RemoteInfo, socket: dgram.Socket) => void,
  ) => {
    const socket = dgram.createSocket('udp4');
    socket.on('message', (data, from) => hear(data, from, socket));
    await new Promise<void>((done) => socket.bind(port, CANARY_ADDRESS, done));
    closing.push(() => socket.close());
  };
  for (const port of UDP_PORTS) await bound(port, () => void heard.push(`udp ${port}`));
  await bound(53, (query, from, socket) => {
    const name = questionOf(query);
    // What the browser asks for its own sake, such as its maker's servers, is not the page's doing.
    if (name.endsWith('canary.test')) heard.push(`dns ${name}`);
    socket.send(answerTo(query, name.endsWith('canary.test')), from.port, from.address);
  });
  return {
    heard() {
      const all = heard;
      heard = [];
      return all;
    },
    close() {
      for (const close of closing) close();
    },
  };
}

function questionOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; at < query.length; ) {
    const size = query[at] ?? 0;
    if (size === 0) break;
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  return labels.join('.').toLowerCase();
}

/** An A record for our names; no such name, or no such record, for the rest. */
function answerTo(query: Buffer, ours: boolean): Buffer {
  let end = 12;
  while ((query[end] ?? 0) !== 0) end += (query[end] ?? 0) + 1;
  const type = query.readUInt16BE(end + 1);
  const question = query.subarray(12, end + 5);
  const answers = ours && type === 1 ? 1 : 0;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(ours ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers, 6);
  if (!answers) return Buffer.concat([head, question]);
  const address = CANARY_ADDRESS.split('.').map(Number);
  return Buffer.concat([head, question, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...address])]);
}
