import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCount } from '../arguments.ts';
import { interrupted, onInterrupt } from '../interrupt.ts';
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
    .action(serve);
}

async function serve(options: ServeOptions): Promise<void> {
  const { serveArchive } = await import('../../archive/serve.ts');
  const interrupt = onInterrupt('Stopping.');
  try {
    const server = await serveArchive(options, { ...options, scripts: options.scripts === 'on' });
    if (server.notice !== undefined) process.stderr.write(`${server.notice}\n`);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ url: server.url, replayUrl: server.replayUrl })}\n`
        : `Serving ${server.root} at ${server.url} (Ctrl-C stops)\n`,
    );
    await interrupted(interrupt.signal);
    await server.close();
  } finally {
    interrupt.dispose();
  }
}

function parsePublicUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('write a URL, such as https://archive.example.org');
}
