import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { daguerreProgram } from '../../src/cli/program.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const { services } = parse(readFileSync(join(import.meta.dirname, '../../compose.yaml'), 'utf8'), {
  merge: true,
}) as { readonly services: Readonly<Record<string, Service>> };
const ours = Object.entries(services).filter(([, { image }]) => image === 'daguerre');

it('compose.yaml => commands, options and variables that there are', async () => {
  const { commands } = await daguerreProgram();
  expect(ours.map(([name]) => name)).toEqual(['worker', 'serve']);
  for (const [, { command = [], environment = {} }] of ours) {
    const known = commands.find((one) => one.name() === command[0]);
    const flags = command.filter((word) => word.startsWith('--'));
    expect(known?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    const variables = known?.options.flatMap(({ envVar }) => envVar ?? []) ?? [];
    const named = command.flatMap((word) => (word.startsWith('env:') ? [word.slice(4)] : []));
    expect([...variables, ...named]).toEqual(
      expect.arrayContaining(Object.keys(environment).filter((name) => name.startsWith('DAGUERRE_'))),
    );
  }
}, 60_000);
