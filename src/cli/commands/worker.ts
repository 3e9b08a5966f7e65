import { type Command, InvalidArgumentError, Option } from 'commander';
import { PIECE } from '../../archive/workers/run-piece.ts';
import { runWorker } from '../../archive/workers/run-worker.ts';
import { archiveText } from '../../model/archive-identity.ts';
import { WORKER_ROLES, type WorkerRole } from '../../model/worker.ts';
import { parseCount, parseDuration, within } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { plural } from '../quantity-text.ts';
import { say } from '../status-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { type SilenceFlag, silenceOption } from './worker-options.ts';

interface WorkerFlags extends CommonOptions, SilenceFlag {
  readonly roles: readonly WorkerRole[];
  readonly concurrency: number;
  readonly pieceTime: number;
  readonly pieceVisits: number;
  readonly syncEvery: number;
}

/** Crawls mostly wait for their hosts. */
const USUAL_CONCURRENCY = 4;
/** More need another process: each crawl in hand takes some memory, and all of a worker share one thread. */
const MOST_CRAWLS = 64;
/** Milliseconds: a piece has to begin and to end, too. */
const SHORTEST_PIECE = 1_000;

export function workerCommand(program: Command): void {
  const command = archiveOptions(
    program
      .command('worker')
      .summary('do crawls that were handed over, beside other workers')
      .description(
        "Joins an archive whose catalog is in PostgreSQL and does what 'daguerre archive --hand-over' leaves to workers, a " +
          'piece of a crawl at a time, and what follows from it (--roles), until it is told to leave. Any number of them may run, on any machine that reaches the ' +
          'database and the folder of the archive. SIGTERM: finishes the pages in hand, gives back the rest, and leaves ' +
          'within 30 s. See docs/workers.md.',
      ),
  )
    .addOption(
      new Option(
        '--roles <list>',
        'what it does, separated by commas. capture: pieces of crawls; analyse: layouts, deltas and patterns of what was captured; index: merges small record files in an object store, and keeps the search index',
      )
        .argParser(parseRoles)
        .default(WORKER_ROLES, WORKER_ROLES.join()),
    )
    .option(
      '--concurrency <number>',
      `crawls at once, 1 to ${MOST_CRAWLS}`,
      within(parseCount, 1, MOST_CRAWLS),
      USUAL_CONCURRENCY,
    )
    .option('--sync-every <duration>', 'how often records are forced to disk', parseDuration, 1000)
    .addOption(
      new Option(
        '--piece-time <duration>',
        'how long a crawl is done at a time, before others have their turn',
      )
        .argParser(
          within(parseDuration, SHORTEST_PIECE, Number.POSITIVE_INFINITY, (millis) => `${millis / 1000} s`),
        )
        .default(PIECE.time, '5m'),
    )
    .option(
      '--piece-visits <number>',
      'pages and resources likewise',
      within(parseCount, 1, Number.POSITIVE_INFINITY),
      PIECE.visits,
    );
  silenceOption(command)
    .addHelpText(
      'after',
      `
Examples:
  daguerre worker --database postgres://daguerre@db.example/archive --archive /mnt/archive
  daguerre worker --database postgres://daguerre@db.example/archive --archive /mnt/archive --concurrency 16
  daguerre worker --database postgres://daguerre@db.example/archive --archive /mnt/archive --roles analyse,index
  DAGUERRE_DATABASE=postgres://daguerre@db.example/archive daguerre worker --archive /mnt/archive`,
    )
    .action(async (flags: WorkerFlags) => {
      process.exitCode = await worker(flags);
    });
}

function parseRoles(text: string): readonly WorkerRole[] {
  const roles = text.split(',').map((role) => role.trim());
  const wrong = roles.find((role) => !WORKER_ROLES.some((known) => known === role));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`'${wrong}' is no role: ${WORKER_ROLES.join(', ')} are.`);
  return WORKER_ROLES.filter((role) => roles.includes(role));
}

async function worker({ json, ...flags }: WorkerFlags): Promise<number> {
  const interrupt = onInterrupt('Leaving: finishing the pages in hand (Ctrl-C again leaves at once).');
  const tell = (sentence: string): void => say(process.stderr, sentence);
  try {
    const report = await runWorker(flags, {
      roles: flags.roles,
      concurrency: flags.concurrency,
      silence: flags.silence,
      syncEvery: flags.syncEvery,
      piece: { time: flags.pieceTime, visits: flags.pieceVisits },
      signal: interrupt.signal,
      onJoin: ({ workerId, mended, identity }) => {
        for (const sentence of mended) tell(sentence);
        const joined = identity ? ` archive ${archiveText(identity)}` : '';
        tell(`Worker ${workerId} has joined${joined}, and waits for work (${flags.roles.join(', ')}).`);
      },
      onNote: tell,
    });
    process.stdout.write(
      json
        ? `${JSON.stringify(report)}\n`
        : `Worker ${report.worker} has left: ${plural(report.settled, 'page or resource', 'pages and resources')} in ${plural(report.pieces, 'piece')}, ${plural(report.analysed, 'version')} analysed.\n`,
    );
    // It was asked to leave, and what it was doing continues elsewhere.
    return EXIT.ok;
  } finally {
    interrupt.dispose();
  }
}
