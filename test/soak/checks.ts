import { gunzipSync } from 'node:zlib';
import { formatTimestamp } from '../../src/access/replay-url.ts';
import { capturesOf, daguerre } from '../daguerre-process.ts';
import { sha256 } from './ledger.ts';
import { PROMISE, type World } from './world.ts';

/** A line of a stack, or a warning of Node. */
const STACK = /^\s+at .+:\d+:\d+\)?$|\(node:\d+\)|Unhandled/m;

export function checkMessages(
  world: World,
  command: string,
  { code, stderr }: { readonly code: number | undefined; readonly stderr: string },
): void {
  if (STACK.test(stderr)) world.breach(PROMISE.message, `${command} (${code}): ${stderr.slice(-600)}`);
}

export async function checkVerify(world: World, archive = world.ledger.folder): Promise<void> {
  const finished = await daguerre(['verify', '--archive', archive, '--json']);
  world.count.verifies++;
  checkMessages(world, 'verify', finished);
  if (finished.code === 0) return;
  world.breach(
    PROMISE.verifyClean,
    `${finished.code}: ${finished.stdout.slice(0, 600)} ${finished.stderr.slice(-300)}`,
  );
}

const REPLAYED_AT_ONCE = 12;

/** Some captures, as replay gets them, against what the site gave. */
export async function checkReplay(world: World): Promise<void> {
  const { site, random, server } = world;
  const captures = (await capturesOf(world.ledger.folder)).filter(
    ({ url, status, type }) =>
      url.startsWith(`${site.url}/`) && status === 200 && (type === 'response' || type === 'revisit'),
  );
  for (let n = 0; n < REPLAYED_AT_ONCE && captures.length > 0; n++) {
    const capture = captures[Math.floor(random() * captures.length)];
    if (!capture) continue;
    const { status, body } = await server.raw(formatTimestamp(capture.at), capture.url);
    const text = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body;
    world.count.replayed++;
    if (status !== 200 || !site.served(new URL(capture.url).pathname).has(sha256(text)))
      world.breach(PROMISE.exactBytes, `${capture.url} of ${capture.at}: ${status}, ${body.length} bytes`);
  }
  const { status } = await server.api('/crawls');
  if (status !== 200) world.breach(PROMISE.served, `/api/crawls: ${status}`);
}
