import type { Command } from 'commander';
import { readImportance } from '../../archive/importance/importance-settings.ts';
import { openForWriting } from '../../archive/open/open-archive.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface WordsFlags extends CommonOptions {
  readonly config?: string;
}

export function wordsCommand(importance: Command): void {
  archiveOptions(
    importance
      .command('words')
      .summary('count the words of pages that were archived since it last ran')
      .description(
        'Reads the last version of each page, tells its language and counts the words that its dictionary has, by stem: what ' +
          'infrequent words and text weight are made of. Pages of a language without dictionary get no value.',
      ),
  )
    .option('--config <file>', 'the key importance of a YAML file: dictionaries of further languages')
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre importance words\n  daguerre importance words --config weights.yaml --json',
    )
    // The parent command has options of the same names, and takes them first.
    .action((_flags: WordsFlags, command: Command) => words(command.optsWithGlobals<WordsFlags>()));
}

async function words(flags: WordsFlags): Promise<void> {
  const { dictionaries } = await readImportance(flags.config);
  const archive = await openForWriting(flags, 'importance words', {
    onWait: (sentence) => say(process.stderr, sentence),
  });
  try {
    for (const sentence of archive.mended) say(process.stderr, sentence);
    const { countArchive } = await import('../../archive/importance/count-archive.ts');
    const done = await countArchive(archive, dictionaries, (pages) => {
      if (pages > 0 && pages % 1000 === 0) say(process.stderr, `${pages} pages`);
    });
    const [counted, without] = [done.counted, done.withoutDictionary].map((by) => Object.fromEntries(by));
    if (flags.json) {
      const { unchanged, tooShort, noText } = done;
      const line = { counted, withoutDictionary: without, unchanged, tooShort, noText };
      await writeOutput(`${JSON.stringify(line)}\n`, undefined);
      return;
    }
    const listed = (by: Record<string, number> = {}): string =>
      Object.entries(by)
        .map(([language, pages]) => `${language} ${pages}`)
        .join(', ') || 'none';
    await writeOutput(
      `Words counted of pages in: ${listed(counted)}.\n` +
        `Without a dictionary, so without a value: ${listed(without)} (dictionaries: ${done.languages.join(', ')}).\n` +
        `As they were counted before: ${done.unchanged}; too short to tell the language: ${done.tooShort}; no text: ${done.noText}.\n`,
      undefined,
    );
  } finally {
    await archive.close();
  }
}
