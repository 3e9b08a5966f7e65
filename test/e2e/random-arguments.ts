import type { Command, Option } from 'commander';
import fc from 'fast-check';
import { daguerreProgram } from '../../src/cli/program.ts';

/**
 * Random command lines, made of the program's own commands and flags, so that new ones are tried without being
 * listed here. Values are drawn from what people and scripts get wrong. No value may make a name be looked up or a
 * packet leave the machine: what may become an address is loopback, or no address at all.
 */

const LONG = 'ü'.repeat(5000);

const NUMBERS = [
  '0',
  '1',
  '2',
  '-1',
  '1.5',
  '1e3',
  '1e999',
  'NaN',
  '0x10',
  '٣',
  '9'.repeat(30),
  '1,2',
  '90s',
];
const WORDS = ['', ' ', 'x', '💥', 'zażółć gęślą', '(', '[a-', '(a+)+$', '\u202e', '%00', '"', '--', LONG];
const TIMES = ['2026', '2026-13-45', '7d', '-7d', 'last', 'yesterday', '9999999999999999'];
const FILES = [
  ...['given/old.html', 'given/crawl.yaml', 'given/half.yaml', 'given/rates.tsv', 'given/changes.tsv'],
  ...['given/records.warc.gz', 'given/records.wacz', 'given/cut.warc.gz', 'given/cut.wacz', 'given/key.pem'],
  ...['given', 'given/set', 'given/versions', 'given/empty', './missing', './a file/below', '/dev/null'],
  ...['/proc/self/mem', `./${'x'.repeat(300)}`, `./${LONG}`],
];
const OUTPUTS = ['out/it', 'out', 'missing/it', 'a file/it', '', '/dev/full', `out/${'x'.repeat(300)}`];
const ARCHIVES = [
  'real',
  'cut',
  'newer',
  'keyless',
  'empty',
  'foreign',
  'a file',
  'missing',
  'real/warc',
  '',
];
const DATABASES = [
  'postgres://127.0.0.1:1/x',
  'postgres://u:p@[::1]:1/x?schema=Ä',
  'mysql://x',
  'no url',
  '',
];
const HOSTS = ['127.0.0.1', '::1', '192.0.2.1'];
const XQUERY = ['//*', 'count(//*)', '(', '//*[', '1 div 0', "doc('x')", '$none', '', LONG];

const oddUrls = (site: string): readonly string[] => [
  ...[site, `${site}@last`, `${site}@2026-13-45`, `${site}#x`, `${site}?a=${'1'.repeat(5000)}`, `${site}ü`],
  ...[
    'http://127.0.0.1:1/',
    'http://127.0.0.1:99999/',
    'http://[::1]:1/',
    'http://[::1',
    'http://',
    'http:///',
  ],
  ...['ftp://127.0.0.1/', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/hostname', 'about:blank'],
  ...['http://u:p@127.0.0.1:1/', 'http://127.0.0.1:1/\ttab', 'two words', '/etc/hostname', ''],
];

/** Which pool a flag or argument draws from, by its name. */
function pool(name: string, command: string, site: string): readonly string[] {
  if (name === 'archive') return ARCHIVES;
  if (name === 'out') return OUTPUTS;
  if (name === 'database') return DATABASES;
  if (name === 'host') return HOSTS;
  if (name === 'xquery') return XQUERY;
  if (/^(?:since|until)$/.test(name)) return TIMES;
  if (command === 'archive' && name === 'config') return FILES;
  if (/url|seed-list|origin/.test(name) || (command === 'archive' && name === '')) return oddUrls(site);
  if (/^(?:page|old|new)$/.test(name)) return [...oddUrls(site), ...FILES];
  if (/file|config|set|snapshots|changes|captures|observations|weights|rates|graph|data|key/.test(name))
    return FILES;
  return [...NUMBERS, ...WORDS, ...TIMES];
}

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

interface Leaf {
  readonly names: readonly string[];
  readonly command: Command;
}

function leaves(command: Command, names: readonly string[] = []): Leaf[] {
  return command.commands.length === 0
    ? [{ names, command }]
    : command.commands.flatMap((each) => leaves(each, [...names, each.name()]));
}

/** Draws of one command by its cost: those that start browsers or newspapers come seldom. */
const COSTLY = /^(?:segment|diff|demo|lab deltas|lab segment|lab reproduce)$/;

export async function commandLines(site: string): Promise<fc.Arbitrary<CommandLine>> {
  const all = leaves(await daguerreProgram()).map(({ names, command }) => ({
    weight: COSTLY.test(names.join(' ')) ? 1 : 4,
    arbitrary: lineOf(names, command, site),
  }));
  return fc.oneof(...all);
}

function lineOf(names: readonly string[], command: Command, site: string): fc.Arbitrary<CommandLine> {
  const name = names.join(' ');
  const values = (of: string): fc.Arbitrary<string> => fc.constantFrom(...pool(of, name, site));
  const flags = command.options.filter(({ long }) => long !== '--archive' && long !== '--json');
  const takesArchive = command.options.some(({ long }) => long === '--archive');
  const takesJson = command.options.some(({ long }) => long === '--json');
  const given = command.registeredArguments.map((argument) => {
    const value = values(argument.name());
    const most = argument.variadic ? 3 : 1;
    // Too few and too many now and then: that is what usage messages are for.
    return fc.array(value, { minLength: argument.required ? 1 : 0, maxLength: most });
  });
  return fc
    .record({
      flags: fc
        .subarray(flags, { minLength: 0, maxLength: Math.min(4, flags.length) })
        .chain((chosen) => fc.tuple(...chosen.map((option) => flag(option, values)))),
      archive: takesArchive ? fc.tuple(fc.constant('--archive'), values('archive')) : fc.constant([]),
      json: takesJson ? fc.constantFrom([], ['--json']) : fc.constant([]),
      // Pages in a browser take seconds each; a few are enough.
      render: name === 'archive' ? oftenWithoutBrowser : fc.constant([]),
      given: fc.tuple(...given),
      extra: fc.oneof(
        { weight: 19, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.constantFrom(['--no-such-flag'], ['one', 'too', 'many'], ['--help']) },
      ),
    })
    .map(({ flags, archive, json, render, given, extra }) => ({
      command: name,
      args: [...names, ...given.flat(), ...flags.flat(), ...archive, ...json, ...render, ...extra],
    }));
}

const oftenWithoutBrowser = fc.oneof(
  { weight: 9, arbitrary: fc.constant(['--render', 'never']) },
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
);

function flag(option: Option, values: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const long = option.long ?? option.short ?? '';
  if (!option.required && !option.optional) return fc.constant([long]);
  const { argChoices } = option;
  const value = argChoices
    ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...argChoices) }, values('junk'))
    : values(long.replace(/^--/, ''));
  return value.map((one) => [long, one]);
}
