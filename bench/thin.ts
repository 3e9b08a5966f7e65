/**
 * `npx tsx bench/thin.ts [megabytes]`: what thinning costs. Makes an archive of about that size in a temporary folder (pages over
 * HTTP on loopback, visited 40 times), thins it to 70 %, and prints bytes freed and processor seconds per GB of record files read
 * and per GB rewritten; copying the same files for comparison.
 */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForWriting } from '../src/archive/open/open-archive.ts';
import { thinArchive } from '../src/archive/thin/thin-archive.ts';
import { verify } from '../src/archive/verify/verify.ts';
import { HOUR, START, visitEditions } from '../test/visited-archive.ts';

const VISITS = 40;
const PAGES = 20;
const bytes = (Number(process.argv[2] ?? 100) * 1e6) / VISITS / PAGES;

function noise(seed: string): string {
  const blocks: Buffer[] = [];
  for (let length = 0; length < bytes; length += 32)
    blocks.push(createHash('sha256').update(`${seed} ${length}`).digest());
  return Buffer.concat(blocks).toString('base64');
}

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

const archive = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
try {
  const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}">${i}</a>`).join('');
  await visitEditions(
    archive,
    Array.from(
      { length: VISITS },
      (_, hour) => (path: string) =>
        `<title>${path}</title>${links}<p>${noise(`${path} ${Math.floor(hour / 2)}`)}</p>`,
    ),
    { rotateSize: 20e6 },
  );
  const open = await openForWriting({ archive }, 'bench');
  const options = { now: START + 100 * HOUR };
  const { before } = await thinArchive(open, { ...options, storage: 1e12, dryRun: true });
  let from = process.cpuUsage();
  await thinArchive(open, { ...options, storage: before * 0.7, dryRun: true });
  const planned = seconds(process.cpuUsage(from));
  from = process.cpuUsage();
  const report = await thinArchive(open, { ...options, storage: before * 0.7 });
  const thinned = seconds(process.cpuUsage(from)) - planned;
  await open.close();
  from = process.cpuUsage();
  await cp(join(archive, 'warc'), join(archive, 'copy'), { recursive: true });
  const copied = seconds(process.cpuUsage(from));
  await rm(join(archive, 'copy'), { recursive: true });
  const { errors, warnings } = await verify({ archive }, {});
  process.stdout.write(
    `${(before / 1e6).toFixed(1)} MB => ${(report.after / 1e6).toFixed(1)} MB, ${report.versions.length} versions of ${report.visits} visits; ` +
      `${report.files} files of ${(report.rewritten / 1e6).toFixed(1)} MB rewritten\n` +
      `planning ${((planned / before) * 1e9).toFixed(1)} s of processor per GB of the archive, rewriting ${((thinned / report.rewritten) * 1e9).toFixed(1)} s per GB rewritten ` +
      `(a plain copy: ${((copied / report.after) * 1e9).toFixed(1)} s)\n` +
      `verify: ${errors.length} errors, ${warnings.length} warnings\n`,
  );
} finally {
  await rm(archive, { recursive: true, force: true });
}
