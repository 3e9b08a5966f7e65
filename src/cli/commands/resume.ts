import type { Command } from 'commander';
import { crawlToResume } from '../../archive/crawl/resumed-crawl.ts';
import { parseCount } from '../arguments.ts';
import { onCrawlInterrupt, runAndReport, type WritingFlags } from '../run-and-report.ts';
import { archiveOptions } from './common-options.ts';
import { writingOptions } from './writing-options.ts';

export function resumeCommand(program: Command): void {
  writingOptions(
    archiveOptions(
      program
        .command('resume')
        .argument('[crawl]', 'its number; the last unfinished one unless given', parseCount)
        .summary('go on with a crawl that was stopped')
        .description(
          'Goes on with a crawl that was stopped or broken off, under the settings that it was begun with. A crawl that was given ' +
            "secrets or proxies is resumed by its own 'daguerre archive' command: those are not stored.",
        ),
    ),
  )
    .addHelpText('after', '\nExamples:\n  daguerre resume\n  daguerre resume 7 --archive ./archive')
    .action(async (crawl: number | undefined, flags: WritingFlags) => {
      process.exitCode = await resume(crawl, flags);
    });
}

function resume(id: number | undefined, flags: WritingFlags): Promise<number> {
  return runAndReport(flags, onCrawlInterrupt(), async ({ catalog }) => {
    const { spec } = await crawlToResume(catalog, id);
    return { spec, restart: false };
  });
}
