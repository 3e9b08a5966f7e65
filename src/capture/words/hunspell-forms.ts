/**
 * All forms of the words of a Hunspell dictionary: `papillon/S.` and its rules give papillon, papillons. Supports only what
 * a word list needs of the format: prefixes, suffixes, both together, a suffix after a suffix. Compounds are not formed, and
 * forms with an apostrophe (l'été) are left out, since texts are split there.
 */
interface Rule {
  readonly strip: string;
  readonly add: string;
  readonly flags: readonly string[];
  readonly fits: (word: string) => boolean;
}

interface Affix {
  readonly isSuffix: boolean;
  /** May be combined with one of the other side. */
  readonly isCrossed: boolean;
  readonly rules: Rule[];
}

interface Affixes {
  readonly table: ReadonlyMap<string, Affix>;
  readonly flagsOf: (text: string) => readonly string[];
  /** Words with one of these flags do not occur alone. */
  readonly notAlone: ReadonlySet<string>;
}

const WORD = /^\p{L}[\p{L}\p{M}]*$/u;

/** Each at least once; those that are not a single run of letters are left out. */
export function* hunspellForms(aff: string, dic: string): Generator<string> {
  const affixes = readAffixes(aff);
  for (const line of dic.split(/\r?\n/).slice(1)) {
    // A tab begins a description of the word, or a comment.
    const [entry = ''] = line.split(/[\t ]/);
    const [word = '', flagText = ''] = entry.split('/');
    const flags = affixes.flagsOf(flagText);
    for (const form of formsOf(word, flags, affixes)) if (WORD.test(form)) yield form.normalize('NFC');
  }
}

function* formsOf(word: string, flags: readonly string[], affixes: Affixes): Generator<string> {
  if (word === '') return;
  if (!flags.some((flag) => affixes.notAlone.has(flag))) yield word;
  const mine = flags.flatMap((flag) => affixes.table.get(flag) ?? []);
  const prefixes = mine.filter(({ isSuffix }) => !isSuffix);
  for (const prefix of prefixes) yield* applied(word, prefix).map(({ form }) => form);
  for (const suffix of mine.filter(({ isSuffix }) => isSuffix)) {
    for (const { form, flags: further } of applied(word, suffix)) {
      yield form;
      if (suffix.isCrossed)
        for (const prefix of prefixes)
          if (prefix.isCrossed) yield* applied(form, prefix).map((both) => both.form);
      for (const flag of further) {
        const next = affixes.table.get(flag);
        if (next) yield* applied(form, next).map((both) => both.form);
      }
    }
  }
}

function applied(
  word: string,
  { rules, isSuffix }: Affix,
): { readonly form: string; readonly flags: readonly string[] }[] {
  return rules
    .filter(({ fits }) => fits(word))
    .map(({ strip, add, flags }) => ({
      form: isSuffix ? word.slice(0, word.length - strip.length) + add : add + word.slice(strip.length),
      flags,
    }));
}

function readAffixes(aff: string): Affixes {
  const table = new Map<string, Affix>();
  const notAlone = new Set<string>();
  let flagsOf = flagReader('');
  for (const line of aff.split(/\r?\n/)) {
    const [key = '', flag = '', ...rest] = line.trim().split(/\s+/);
    if (key === 'FLAG') flagsOf = flagReader(flag);
    else if (['NEEDAFFIX', 'FORBIDDENWORD', 'ONLYINCOMPOUND'].includes(key)) notAlone.add(flag);
    else if (key === 'SFX' || key === 'PFX') {
      const isSuffix = key === 'SFX';
      const affix = table.get(flag);
      // The first line of an affix gives the number of lines that follow.
      if (!affix) table.set(flag, { isSuffix, isCrossed: rest[0] === 'Y', rules: [] });
      else affix.rules.push(...ruleOf(rest, isSuffix, flagsOf));
    }
  }
  return { table, flagsOf, notAlone };
}

function ruleOf(
  [strip = '0', addition = '0', condition = '.']: readonly string[],
  isSuffix: boolean,
  flagsOf: Affixes['flagsOf'],
): Rule[] {
  const [add = '0', flagText = ''] = addition.split('/');
  if (/['’-]/.test(add)) return [];
  const stripped = strip === '0' ? '' : strip;
  const own = condition === '.' ? undefined : new RegExp(isSuffix ? `${condition}$` : `^${condition}`);
  // What is stripped must be present, even if the condition is just '.'.
  const isThere = (word: string): boolean => (isSuffix ? word.endsWith(stripped) : word.startsWith(stripped));
  const fits = (word: string): boolean => isThere(word) && (own?.test(word) ?? true);
  return [{ strip: stripped, add: add === '0' ? '' : add, flags: flagsOf(flagText), fits }];
}

function flagReader(kind: string): (text: string) => readonly string[] {
  if (kind === 'long') return (text) => text.match(/../gsu) ?? [];
  if (kind === 'num') return (text) => (text === '' ? [] : text.split(','));
  return (text) => [...text];
}
