import { type Command, Option } from 'commander';
import { PIECE } from '../../archive/workers/run-piece.ts';
import { runWorker } from '../../archive/workers/run-worker.ts';
import { parseCount, parseDuration } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { say } from '../status-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { type SilenceFlag, silenceOption } from './worker-options.ts';

interface WorkerFlags extends CommonOptions, SilenceFlag {
  readonly concurrency: number;
  readonly pieceTime: number;
  readonly pieceVisits: number;
  readonly syncEvery: number;
}

/** Crawls mostly wait for their hosts. */
const USUAL_CONCURRENCY = 4;

export function workerCommand(program: Command): void {
  const command = archiveOptions(
    program
      .command('worker')
      .summary('do crawls that were handed over, beside other workers')
      .description(
        "Joins an archive whose catalog is in PostgreSQL and does what 'daguerre archive --hand-over' leaves to workers, a " +
          'piece of a crawl at a time, until it is told to leave. Any number of them may run, on any machine that reaches the ' +
          'database and the folder of the archive. SIGTERM: finishes the pages in hand, gives back the rest, and leaves ' +
          'within 30 s. See docs/workers.md.',
      ),
  )
    .option('--concurrency <number>', 'crawls at once', parseCount, USUAL_CONCURRENCY)
    .option('--sync-every <duration>', 'how often records are forced to disk', parseDuration, 1000)
    .addOption(
      new Option(
        '--piece-time <duration>',
        'how long a crawl is done at a time, before others have their turn',
      )
        .argParser(parseDuration)
        .default(PIECE.time, '5m'),
    )
    .option('--piece-visits <number>', 'pages and resources likewise', parseCount, PIECE.visits);
  silenceOption(command)
    .addHelpText(
      'after',
      `
Examples:
  daguerre worker --database postgres://daguerre@db.example/archive --archive /mnt/archive
  daguerre worker --database postgres://daguerre@db.example/archive --archive /mnt/archive --concurrency 16
  DAGUERRE_DATABASE=postgres://daguerre@db.example/archive daguerre worker --archive /mnt/archive`,
    )
    .action(async (flags: WorkerFlags) => {
      process.exitCode = await worker(flags);
    });
}

async function worker({ json, ...flags }: WorkerFlags): Promise<number> {
  const interrupt = onInterrupt('Leaving: finishing the pages in hand (Ctrl-C again leaves at once).');
  const tell = (sentence: string): void => say(process.stderr, sentence);
  try {
    const report = await runWorker(flags, {
      concurrency: flags.concurrency,
      silence: flags.silence,
      syncEvery: flags.syncEvery,
      piece: { time: flags.pieceTime, visits: flags.pieceVisits },
      signal: interrupt.signal,
      onJoin: ({ workerId, mended }) => {
        for (const sentence of mended) tell(sentence);
        tell(`Worker ${workerId} has joined, and waits for crawls.`);
      },
      onNote: tell,
    });
    process.stdout.write(
      json
        ? `${JSON.stringify(report)}\n`
        : `Worker ${report.worker} has left: ${report.settled} pages and resources in ${report.pieces} pieces.\n`,
    );
    // It was asked to leave, and what it was doing goes on elsewhere.
    return EXIT.ok;
  } finally {
    interrupt.dispose();
  }
}
