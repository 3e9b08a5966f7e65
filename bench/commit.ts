/**
 * What a commit costs on PostgreSQL and on SQLite, alternating: `npx tsx bench/commit.ts [--json] [--urls N] [--rounds N]`.
 * Needs a quiet machine.
 *
 * Each round is the whole commit of `frontier.ts` over that many URLs, on either database. PostgreSQL is the server that
 * `DAGUERRE_TEST_POSTGRES` names, or else one from npm on loopback that does not force its log to disk (`fsync=off`): neither
 * does SQLite at each commit, in write-ahead mode.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/postgres.ts';
import { meanRatio, median, print, round } from './figures.ts';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    urls: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '8' },
  },
});
const rounds = Number(values.rounds);
const frontier = fileURLToPath(new URL('frontier.ts', import.meta.url));

const NAMES = ['SQLite', 'PostgreSQL'] as const;
const micros: Record<(typeof NAMES)[number], number[]> = { SQLite: [], PostgreSQL: [] };
const server = await startPostgres();
try {
  for (let turn = 0; turn < rounds; turn++) {
    for (const name of turn % 2 === 0 ? NAMES : NAMES.toReversed()) {
      const place = name === 'PostgreSQL' ? ['--postgres', server.url] : [];
      const args = [frontier, '--one', values.urls, '--part', 'commit', ...place];
      const { stdout } = await runCommand([process.execPath, ...process.execArgv, ...args]);
      micros[name].push((JSON.parse(stdout) as { microsPerUrl: number }).microsPerUrl);
    }
  }
} finally {
  await server.stop();
}

const { value, interval } = meanRatio(micros.PostgreSQL, micros.SQLite);
print(
  {
    title: `A commit of ${values.urls} URLs, ${rounds} rounds`,
    rows: NAMES.map((name) => ({ database: name, 'µs per URL (median)': round(median(micros[name])) })),
    ratios: [{ what: `time on PostgreSQL ÷ time on SQLite; interval ${interval}`, value }],
    notes: [],
  },
  values.json,
);
