import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { closeAll } from '../../archive/crawl/equipment.ts';
import { archiveFolder, type OpenArchive, openForReading } from '../../archive/open/open-archive.ts';
import { serverSettings } from '../../archive/serve/server-settings.ts';
import { systemClock } from '../../archive/system-clock.ts';
import { openWatched, type WatchSharing } from '../../archive/watch/hold-tick.ts';
import type { RunningWatch, WatchOptions } from '../../archive/watch/run-watch.ts';
import { watchMetrics } from '../../archive/watch/watch-status.ts';
import type { WebSubSettings } from '../../archive/websub/watch-websub.ts';
import { answerAsked } from '../../archive/writer/answer-asked.ts';
import { serveAskers } from '../../archive/writer/serve-askers.ts';
import { parseCount, parseDuration, parsePort, parseSize } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { plural } from '../quantity-text.ts';
import { say, statusLine } from '../status-line.ts';
import { cutToColumns } from '../terminal-text.ts';
import { planText, seenLine, standing } from '../watch-text.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { type SilenceFlag, silenceOption } from './worker-options.ts';

interface WatchFlags extends CommonOptions, SilenceFlag {
  readonly config: string;
  readonly plan: boolean;
  readonly hours: number;
  readonly for?: number;
  readonly serve: boolean;
  readonly handOver: boolean;
  readonly port: number;
  readonly replayPort: number;
  readonly host: string;
  readonly syncEvery: number;
  readonly rotateSize: number;
}

/** Milliseconds between two updates of the status. */
const SHOW_EVERY = 1_000;

export function watchCommand(program: Command): void {
  const command = archiveOptions(
    program
      .command('watch')
      .summary('the living archive: captures continuously under a budget, learns and adapts')
      .description(
        'Runs until it is stopped: decides by itself what to visit next, where change is expected to be worth most per ' +
          'request, learns from what it finds, and serves the web page. The file is read again when it changes; after ' +
          'an interruption the same command goes on. With --database it may be started on several machines: one watches, the ' +
          'others stand by and take over (docs/watch.md).',
      ),
  )
    .requiredOption('--config <file>', 'what is watched, with which budget (docs/watch.md)')
    .option('--plan', 'print what would be visited next and why, visit nothing, and end', false)
    .option('--hours <number>', 'with --plan: how far ahead', parseCount, 1)
    .option('--for <duration>', 'end after this time, e.g. 2h', parseDuration)
    .option('--hand-over', 'leave rounds and captures to workers (docs/watch.md); with --database', false)
    .option('--no-serve', 'no web page')
    .option('--port <number>', 'port of the web page', parsePort, 8470)
    .option('--replay-port <number>', 'port of replayed content', parsePort, 8471)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--sync-every <duration>', 'how often records are forced to disk', parseDuration, 1000)
    .option('--rotate-size <size>', 'begin a new record file past this size', parseSize, 1_000_000_000);
  silenceOption(command)
    .addHelpText(
      'after',
      `
Examples:
  daguerre watch --config watch.yaml
  daguerre watch --config watch.yaml --plan
  daguerre watch --config watch.yaml --for 2h --no-serve --json > visits.jsonl
  daguerre watch --config watch.yaml --database postgres://daguerre@db.example/archive --hand-over`,
    )
    .action(async (flags: WatchFlags) => {
      process.exitCode = await (flags.plan ? plan(flags) : watch(flags));
    });
}

const tell = (sentence: string): void => say(process.stderr, sentence);

async function plan(flags: WatchFlags): Promise<number> {
  const { RunningWatch } = await import('../../archive/watch/run-watch.ts');
  const { readWatchConfig } = await import('../../archive/watch/read-watch-config.ts');
  const config = await readWatchConfig(flags.config);
  if (flags.storage === undefined && !existsSync(archiveFolder(flags.archive).warc)) {
    const first = config.sites.map(({ url }) => `${url} would be captured whole: nothing is archived yet`);
    await writeOutput(flags.json ? '[]\n' : `${first.join('\n')}\n`, undefined);
    return EXIT.ok;
  }
  const archive = await openForReading(flags);
  try {
    const watch = await RunningWatch.open(archive, config, { ...options(flags), isPlan: true });
    try {
      const rounds = await watch.planAhead(flags.hours);
      const text = flags.json ? `${JSON.stringify(rounds)}\n` : planText(rounds, flags.hours);
      await writeOutput(text, undefined);
      return EXIT.ok;
    } finally {
      await watch.close();
    }
  } finally {
    await archive.close();
  }
}

async function watch(flags: WatchFlags): Promise<number> {
  const { RunningWatch } = await import('../../archive/watch/run-watch.ts');
  const { readWatchConfig } = await import('../../archive/watch/read-watch-config.ts');
  const { followConfig } = await import('../../archive/watch/follow-config.ts');
  // Rejects a bad configuration before anything is opened or created.
  const config = await readWatchConfig(flags.config);
  const interrupt = onInterrupt('Stopping: finishing the pages in hand (Ctrl-C again leaves at once).');
  const { signal } = interrupt;
  const closing: (() => Promise<void>)[] = [];
  const end = new AbortController();
  const timer = flags.for === undefined ? undefined : setTimeout(() => end.abort(), flags.for);
  const wanted = AbortSignal.any([signal, end.signal]);
  try {
    const watched = await openWatched(flags, {
      ...{ silence: flags.silence, handsOver: flags.handOver, signal: wanted, tell },
    });
    if (!watched) return signal.aborted ? EXIT.interrupted : EXIT.ok;
    closing.unshift(() => watched.close());
    const { archive, sharing, lost } = watched;
    const stopped = AbortSignal.any([wanted, lost]);
    for (const sentence of archive.mended) tell(sentence);
    const running = await RunningWatch.open(archive, config, {
      ...options(flags),
      ...(sharing && { sharing }),
    });
    closing.unshift(() => running.close());
    const desk = await serveAskers(archive, flags, {
      onRequest: tell,
      onStop: interrupt.stop,
      ping: (url, by) => running.ping(url, by),
    });
    closing.unshift(() => desk.close(stopped));
    if (sharing) answer(archive, running, { stopped, sharing, stop: interrupt.stop }, closing);
    if (running.hubs && config.websub) await hear(running.hubs, config.websub, closing);
    if (flags.serve) await serve(flags, { running, server: config.server }, closing);
    closing.unshift(showStanding(running));
    const following = followConfig(flags.config, running, { clock: systemClock, tell }, stopped);
    await running.run(stopped);
    await following;
    lost.throwIfAborted();
    if (flags.json) process.stdout.write(`${JSON.stringify({ kind: 'end', ...running.status() })}\n`);
    else process.stdout.write(`${standing(running.status())}\n`);
    return signal.aborted ? EXIT.interrupted : EXIT.ok;
  } finally {
    clearTimeout(timer);
    // After an error too, nothing goes on: whatever follows a file would keep the process.
    end.abort();
    await closeAll(closing);
    interrupt.dispose();
  }
}

function options({ json, syncEvery, rotateSize }: WatchFlags): WatchOptions {
  const line = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`);
  return {
    clock: systemClock,
    syncEvery,
    rotateSize,
    tell,
    onSeen: ({ discovered = [], signals, kind, ...seen }) => {
      if (json)
        line({ kind: 'visit', for: kind, ...seen, signals: signals.length, discovered: discovered.length });
      else if (seen.outcome !== 'unchanged') tell(seenLine({ ...seen, kind, signals }));
    },
    onRound: (visits) => {
      if (json) line({ kind: 'round', visits, at: systemClock.now() });
    },
    onCapture: ({ site, reason }) => {
      if (json) line({ kind: 'capture', site, reason, at: systemClock.now() });
      else tell(`Capturing ${site}: ${reason}`);
    },
    onCaptured: (site, { captured, unchanged, failed, state }) => {
      if (json) line({ kind: 'captured', site, state, captured, unchanged, failed, at: systemClock.now() });
      else
        tell(
          `${site} captured: ${plural(captured, 'page')} new or changed, ${unchanged} unchanged, ${failed} failed.`,
        );
    },
  };
}

/** Answers requests of other machines: they reach the catalog, but no socket here. */
function answer(
  archive: OpenArchive,
  running: RunningWatch,
  { stopped, sharing, stop }: { stopped: AbortSignal; sharing: WatchSharing; stop: () => void },
  closing: (() => Promise<void>)[],
): void {
  const over = new AbortController();
  const signal = AbortSignal.any([stopped, over.signal]);
  const ping = (url: string, by: string): boolean => running.ping(url, by);
  const answering = answerAsked(archive, { signal, stop, ping, onRequest: tell }).catch(sharing.onFailure);
  closing.unshift(async () => {
    over.abort();
    await answering;
  });
}

/** Where hubs reach it, even without a web page. */
async function hear(
  hubs: NonNullable<RunningWatch['hubs']>,
  settings: WebSubSettings,
  closing: (() => Promise<void>)[],
): Promise<void> {
  const { startWebSubServer } = await import('../../server/websub-server.ts');
  const server = await startWebSubServer(hubs, settings);
  closing.unshift(() => server.close());
  tell(
    `Hubs reach this watch at ${settings.callback}, which must lead to port ${server.port} of ${settings.host}`,
  );
}

async function serve(
  flags: WatchFlags,
  { running, server: settings }: { readonly running: RunningWatch; readonly server: unknown },
  closing: (() => Promise<void>)[],
): Promise<void> {
  const { serveArchive } = await import('../../server/serve-archive.ts');
  const server = await serveArchive(flags, {
    port: flags.port,
    replayPort: flags.replayPort,
    host: flags.host,
    settings: { ...serverSettings(settings ?? {}, flags.config), watch: flags.config },
    plan: (hours) => running.planAhead(hours),
    process: {
      problem: () => running.status().problem,
      metrics: async () => watchMetrics(await running.fullStatus()),
      status: () => running.fullStatus(),
      nextVisit: async (url) => (await running.explain(url))?.nextVisit,
    },
  });
  closing.unshift(() => server.close());
  if (server.notice !== undefined) tell(server.notice);
  tell(`Serving ${server.root} at ${server.url}`);
}

/** A one-line status, if there is a terminal. */
function showStanding(running: RunningWatch): () => Promise<void> {
  const line = statusLine(process.stderr);
  const timer = setInterval(() => {
    line.show((columns) => cutToColumns(standing(running.status()), columns));
  }, SHOW_EVERY);
  return async () => {
    clearInterval(timer);
    line.end();
  };
}
