import http from 'node:http';
import { type Running, spawnDaguerre } from '../daguerre-process.ts';
import { residentMegabytes } from './memory.ts';

/** A `serve` that stays up during the whole soak, beside crawls, kills and imports. */
export interface LongServer {
  readonly running: Running;
  /** The raw bytes of a capture, as replay gets them. */
  raw(timestamp: string, url: string): Promise<{ status: number; body: Buffer }>;
  api(path: string): Promise<{ status: number; body: Buffer }>;
  memory(): number | undefined;
  stop(): Promise<number | undefined>;
}

export async function startLongServer(archive: string): Promise<LongServer> {
  const args = ['serve', '--archive', archive, '--port', '0', '--replay-port', '0', '--json'];
  const running = spawnDaguerre(args);
  const said = await running.said('replayUrl');
  const line = said.split('\n').find((one) => one.startsWith('{')) ?? '{}';
  const { url, replayUrl } = JSON.parse(line) as { url: string; replayUrl: string };
  return {
    running,
    raw: (timestamp, target) => get(replayUrl, `/archive/${timestamp}id_/${target}`),
    api: (path) => get(url, `/api${path}`),
    memory: () => residentMegabytes(running.child.pid),
    async stop() {
      running.child.kill('SIGINT');
      return (await running.ended).code;
    },
  };
}

/** To loopback whatever the name: not every resolver knows names below localhost. */
function get(origin: string, path: string): Promise<{ status: number; body: Buffer }> {
  const { port, host } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = http.get(
      { host: '127.0.0.1', port, path, headers: { host }, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces) }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
  });
}
