import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/**
 * Second visits and servers that send an old page again are not shown by a browser each time. Which layout a capture has is
 * resolved once: list of captures, changes, comparison and search say the same of it. Uses the build in `dist`.
 */

const OLD = page(
  'The ferry leaves at nine',
  [],
  'Whoever wants to cross has to be at the old pier by half past eight. ',
);
const NEW = page(
  'Trains replace the ferry',
  [],
  'A correction was added: no ship will leave for the whole of the winter. ',
);

let site: SmallSite;
let server: Running;
let archive: string;
let url: string;
let asked: string;

const crawl = async (): Promise<void> => {
  const args = ['--archive', archive, '--render', 'always', '--allow-private', '--delay', '0'];
  const { code, stderr } = await daguerre(['archive', `${site.url}/`, ...args, '--revisit', 'sharp']);
  expect(code, stderr).toBe(0);
};

beforeAll(async () => {
  archive = join(await temporaryFolder(), 'archive');
  site = await startSite({ '/': page('Home', ['/ferry']), '/ferry': OLD });
  asked = `${site.url}/ferry`;
  await crawl();
  for (const ferry of [NEW, OLD, NEW]) {
    site.become({ '/': page('Home', ['/ferry']), '/ferry': ferry });
    await crawl();
  }
  server = spawnDaguerre(['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0']);
  const said = await server.said('"url"');
  ({ url } = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '') as { url: string });
}, 240_000);

afterAll(async () => {
  server?.child.kill('SIGTERM');
  await site?.close();
});

interface Row {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly comparison: { readonly kind: string; readonly salience?: number };
}

async function rows(list: string): Promise<readonly Row[]> {
  const answer = await fetch(`${url}/api/${list}?${new URLSearchParams({ url: asked, limit: '100' })}`);
  return ((await answer.json()) as { rows: readonly Row[] }).rows;
}

it('each page twice in a crawl, its words replaced thrice => three changes, in the list of captures as in that of changes', async () => {
  const captures = await rows('captures');
  expect(captures.map(({ comparison: { kind } }) => kind)).toEqual([
    ...['first', 'same-bytes'],
    ...['changed', 'same-bytes', 'changed', 'same-bytes', 'changed', 'same-bytes'],
  ]);
  const changed = captures.filter(({ comparison: { kind } }) => kind === 'changed');
  const changes = (await rows('changes')).toSorted((a, b) => a.to - b.to);
  expect(changes.map(({ to }) => to)).toEqual(changed.map(({ at }) => at));
  for (const [i, { at, comparison }] of changed.entries()) {
    const before = captures[captures.findIndex((one) => one.at === at) - 1]?.at;
    const asking = new URLSearchParams({ url: asked, from: `${before}`, to: `${at}` });
    const delta = (await (await fetch(`${url}/api/deltas?${asking}`)).json()) as Row;
    expect(delta.comparison).toMatchObject({ kind: 'changed', salience: comparison.salience });
    expect(changes[i]?.comparison).toMatchObject({ kind: 'changed', salience: comparison.salience });
  }
});

it('words that came, went and came again => two spans, the first with its end', async () => {
  const { stdout } = await daguerre(['search', '"correction was added"', '--archive', archive, '--json']);
  const captures = await rows('captures');
  const [second, third, fourth] = [captures[2], captures[4], captures[6]];
  const lines = stdout.split('\n').filter((line) => line !== '');
  const spans = lines.map(
    (line) => JSON.parse(line) as { readonly cameAt: number; readonly goneAt?: number },
  );
  expect(spans.toSorted((a, b) => a.cameAt - b.cameAt)).toEqual([
    expect.objectContaining({ cameAt: second?.at, goneAt: third?.at }),
    expect.objectContaining({ cameAt: fourth?.at }),
  ]);
});
