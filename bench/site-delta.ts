/**
 * Export and import of site histories: `npx tsx bench/site-delta.ts [--json] [--documents 1000000] [--per-page 10]`.
 *
 * A made-up site-delta with that many accesses is imported into an empty archive and exported from it again; for comparison, one
 * with a quarter of the accesses. Each step runs in its own process, which reports its peak memory and the largest live heap at
 * any check: neither must grow with the number of accesses. The heap is limited to 160 MB, since V8 takes all it may before it
 * collects: a step that needed more would fail.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importInto } from '../src/archive/import/import-files.ts';
import { openForReading, openForWriting } from '../src/archive/open/open-archive.ts';
import { exportSiteDelta } from '../src/archive/site-delta/export-site-delta.ts';
import { type SiteDelta, siteDeltaText } from '../src/archive/site-delta/write-site-delta.ts';
import type { DeltaDocument } from '../src/model/site-delta.ts';
import { type Cell, print, round } from './figures.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    documents: { type: 'string', default: '1000000' },
    'per-page': { type: 'string', default: '10' },
    step: { type: 'string' },
    archive: { type: 'string', default: '' },
    file: { type: 'string', default: '' },
  },
});

const HEAP = '--max-old-space-size=160';
const HOUR = 3_600_000;
const FIRST = Date.UTC(2020, 0, 1);
const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

function madeUp(documents: number, perPage: number): SiteDelta {
  return {
    site: 'example.org',
    crawls: Array.from({ length: perPage }, (_, i) => ({
      archive: 'k7mq-2xrt-9hbd',
      from: FIRST + i * HOUR,
    })),
    mirrors: [],
    async *pages() {
      for (let page = 0; page * perPage < documents; page++) {
        const name = String(page).padStart(8, '0');
        const list = Array.from({ length: perPage }, (_, i): DeltaDocument => {
          const sha256 = hex(`${page} ${i >> 2}`);
          const reference = {
            record: `urn:uuid:${hex(`${page}-${i}`).slice(0, 32)}`,
            file: 'crawl-1.warc.gz',
          };
          const status = i === 0 ? 'new' : i % 4 === 0 ? 'updated' : 'unchanged';
          const at = FIRST + i * HOUR + page;
          return {
            at,
            status,
            archive: 'k7mq-2xrt-9hbd',
            sha256,
            size: 20_000 + i,
            ...reference,
            offset: page * 999 + i,
          };
        });
        yield { url: `https://example.org/${name.slice(0, 4)}/${name}.html`, documents: list };
      }
    },
  };
}

async function writeMadeUp(file: string, documents: number): Promise<void> {
  async function* one() {
    yield madeUp(documents, Number(values['per-page']));
  }
  const out = await open(file, 'w');
  try {
    let text = '';
    for await (const piece of siteDeltaText(one())) {
      text += piece;
      if (text.length < 1 << 18) continue;
      await out.appendFile(text);
      text = '';
    }
    await out.appendFile(text);
  } finally {
    await out.close();
  }
}

interface Measured {
  readonly seconds: number;
  /** Peak memory of the process. */
  readonly megabytes: number;
  /** Largest live heap after a collection. */
  readonly alive: number;
}

/** Milliseconds between two checks of the live heap. */
const LOOK = 2_000;

/** Runs one step; reports its seconds and its memory. */
async function runStep(step: string): Promise<void> {
  const { archive: folder, file } = values;
  let alive = 0;
  const look = (): void => {
    globalThis.gc?.();
    alive = Math.max(alive, process.memoryUsage().heapUsed / 1e6);
  };
  const looks = setInterval(look, LOOK);
  const began = performance.now();
  if (step === 'make') await writeMadeUp(file, Number(values.documents));
  else if (step === 'import') {
    const archive = await openForWriting({ archive: folder }, 'import');
    await importInto(archive, [file]);
    await archive.close();
  } else {
    const archive = await openForReading({ archive: folder });
    await exportSiteDelta(archive, file);
    await archive.close();
  }
  const seconds = (performance.now() - began) / 1000;
  clearInterval(looks);
  look();
  const told: Measured = { seconds, megabytes: process.resourceUsage().maxRSS / 1024, alive };
  process.stdout.write(JSON.stringify(told));
}

function inProcess(step: string, archive: string, file: string, documents: number): Measured {
  const given = [
    '--archive',
    archive,
    '--file',
    file,
    '--documents',
    String(documents),
    '--per-page',
    values['per-page'],
  ];
  const args = [
    HEAP,
    '--expose-gc',
    '--import',
    'tsx',
    fileURLToPath(import.meta.url),
    '--step',
    step,
    ...given,
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function measure(documents: number) {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
  try {
    const [made, again] = [join(folder, 'made.xml'), join(folder, 'again.xml')];
    const archive = join(folder, 'archive');
    inProcess('make', archive, made, documents);
    const imported = inProcess('import', archive, made, documents);
    const exported = inProcess('export', archive, again, documents);
    return {
      documents,
      'MB of XML': round((await stat(made)).size / 1e6, 0),
      'import s': round(imported.seconds, 1),
      'import MB': round(imported.megabytes, 0),
      'import alive MB': round(imported.alive, 1),
      'export s': round(exported.seconds, 1),
      'export MB': round(exported.megabytes, 0),
      'export alive MB': round(exported.alive, 1),
      'same bytes': (await digestOf(made)) === (await digestOf(again)) ? 'yes' : 'no',
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (values.step !== undefined) await runStep(values.step);
else {
  const most = Number(values.documents);
  const rows: Readonly<Record<string, Cell>>[] = [];
  for (const documents of [most / 4, most]) rows.push(await measure(documents));
  const growth = (column: string): number => Number(rows[1]?.[column]) / Number(rows[0]?.[column]);
  print(
    {
      title: 'Histories of sites as site-delta',
      rows,
      ratios: ['export', 'import'].flatMap((step) =>
        ['MB', 'alive MB'].map((memory) => ({
          what: `${memory} of the ${step}, four times the accesses`,
          value: growth(`${step} ${memory}`),
          aim: 1.1,
          atMost: true,
        })),
      ),
      notes: [],
    },
    values.json,
  );
}
