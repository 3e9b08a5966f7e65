import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_WEIGHTS, IMPORTANCE_CRITERIA, type Weights } from '../../access/importance/page-scores.ts';
import { readConfig } from '../given/config-file.ts';
import { UserError } from '../user-error.ts';

/** Largest exponent. Beyond it, one criterion outweighs all others. */
const MOST = 10;
const weight = z
  .number('expected a weight, such as 1 or 0.5; 0 leaves the criterion out')
  .min(-MOST, `a weight is at least -${MOST}`)
  .max(MOST, `a weight is at most ${MOST}`);

const KEYS = {
  links: weight.default(DEFAULT_WEIGHTS.links),
  pageRank: weight.default(DEFAULT_WEIGHTS.pageRank),
  infrequentWords: weight.default(DEFAULT_WEIGHTS.infrequentWords),
  textWeight: weight.default(DEFAULT_WEIGHTS.textWeight),
  dictionaries: z
    .record(
      z.string().regex(/^[a-z]{2,3}$/, 'expected languages as ISO 639 codes in small letters, such as it'),
      z.string('expected a file of words, one a line'),
      'expected files of words by language, such as { it: parole.txt }',
    )
    .default({}),
};

/** The key `importance` of a configuration file. Other keys belong to other commands. */
const FILE = z.looseObject({
  importance: z
    .strictObject(KEYS, {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `unknown; importance takes: ${Object.keys(KEYS).join(', ')}`
          : 'expected the weights of criteria, such as { links: 1, textWeight: 0.5 }',
    })
    .refine(
      (given) => IMPORTANCE_CRITERIA.some((criterion) => given[criterion] !== 0),
      'all weights are 0: nothing would count',
    )
    .prefault({}),
});

export interface ImportanceSettings {
  readonly weights: Weights;
  /** Word lists, as text, by language. */
  readonly dictionaries: ReadonlyMap<string, string>;
}

export async function readImportance(file?: string): Promise<ImportanceSettings> {
  const given = file === undefined ? {} : await readConfig(file, FILE);
  const { dictionaries, ...weights } = FILE.parse(given).importance;
  const lists = Object.entries(dictionaries).map(([language, path]): [string, string] => [
    language,
    listAt(resolve(dirname(file ?? '.'), path)),
  ]);
  return { weights, dictionaries: new Map(lists) };
}

function listAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(
      `${path}: the list of words cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
