import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCount } from '../../archive/given/quantities.ts';
import { followArchive } from '../../archive/open/followed-archive.ts';
import { onInterrupt } from '../interrupt.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface ServeOptions extends CommonOptions {
  readonly port: number;
  readonly replayPort: number;
  readonly host: string;
  readonly scripts: 'on' | 'off';
  readonly publicUrl?: string;
  readonly publicReplayUrl?: string;
}

export function serveCommand(program: Command): void {
  archiveOptions(
    program
      .command('serve')
      .summary('browse and replay the archive')
      .description(
        'Serves the web page on one port and replayed pages on another, each archived site on a host of its own ' +
          '(<site>.localhost), so that archived scripts reach neither the web page nor other sites. Listens on ' +
          'loopback unless told otherwise. What replay keeps from the live web: docs/replay.md.',
      ),
  )
    .option('--port <number>', 'port of the web page', parseCount, 8470)
    .option('--replay-port <number>', 'port of replayed content', parseCount, 8471)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--scripts <on|off>', 'off: replay never runs archived scripts')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--public-url <url>', 'how browsers reach the web page behind a proxy with TLS', parsePublicUrl)
    .option(
      '--public-replay-url <url>',
      'how they reach replay: https://*.replay.example.org gives each site a host of its own',
      parsePublicUrl,
    )
    .addHelpText('after', '\nExample:\n  daguerre serve --archive ./archive --port 8470')
    .action(async (options: ServeOptions) => {
      const archive = await followArchive(options);
      const interrupt = onInterrupt('Stopping.');
      try {
        const { port, replayPort, host, publicUrl, publicReplayUrl } = options;
        const scripts = options.scripts === 'on';
        const { startServer } = await import('../../server/start-server.ts');
        const server = await startServer({
          archive: archive.current,
          ...{ port, replayPort, host, scripts },
          ...{ publicUrl, publicReplayUrl },
        });
        if (server.notice !== undefined) process.stderr.write(`${server.notice}\n`);
        process.stdout.write(
          options.json
            ? `${JSON.stringify({ url: server.url, replayUrl: server.replayUrl })}\n`
            : `Serving ${archive.root} at ${server.url} (Ctrl-C stops)\n`,
        );
        await new Promise<void>((resolve) => {
          interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
        });
        await server.close();
      } finally {
        interrupt.dispose();
        await archive.close();
      }
    });
}

function parsePublicUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('write a URL, such as https://archive.example.org');
}
