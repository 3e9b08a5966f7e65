import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readAlerts } from './alert-settings.ts';

let folder: string | undefined;
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true });
  folder = undefined;
});

async function read(text: string) {
  folder ??= await mkdtemp(join(tmpdir(), 'alerts-'));
  const file = join(folder, 'a.yaml');
  await writeFile(file, text);
  return readAlerts(file);
}

test('the example of the contract, beside settings of others => a rule and its channels', async () => {
  const { rules, delivery } = await read(`
budget: { requestsPerHour: 600 }
alerts:
  - name: important
    where: { site: example.org }
    when: { salience: 0.4 }
    send: { webhook: https://hooks.example.org/x, secret: env:HOOK_SECRET, email: desk@example.org }
    digest: none
    atMost: 1 per 2h
`);
  expect(rules).toEqual([
    {
      rule: {
        ...{ name: 'important', where: { site: 'example.org' }, when: { salience: 0.4 } },
        ...{ digest: 'none', atMost: { messages: 1, span: 7_200_000 }, zone: 'UTC' },
      },
      send: [
        { kind: 'webhook', address: 'https://hooks.example.org/x', secret: 'env:HOOK_SECRET' },
        { kind: 'email', to: ['desk@example.org'] },
      ],
    },
  ]);
  expect(delivery).toMatchObject({ allowPrivate: false, timeLimit: 10_000, giveUpAfter: 259_200_000 });
});

test('keys as people write them => as rules have them', async () => {
  const whole = await read(`
alerts:
  - name: all of it
    timezone: Europe/Paris
    where: { pages: 'example.org/news/*', css: 'main > .lead' }
    when: { appears: strike, vanishes: [not, never], number: { above: 100 }, shrunk: 50%, errors: 3 }
    quiet: 22:00-07:00
    send: { slack: env:SLACK, command: [notify, --now] }
`);
  expect(whole.rules[0]).toEqual({
    rule: {
      ...{ name: 'all of it', digest: 'none', zone: 'Europe/Paris' },
      where: { pages: ['example.org/news/*'], css: 'main > .lead' },
      when: {
        appears: ['strike'],
        vanishes: ['not', 'never'],
        number: { above: 100 },
        shrunk: 0.5,
        errors: 3,
      },
      quiet: { from: 1320, to: 420, zone: 'Europe/Paris' },
    },
    send: [
      { kind: 'slack', address: 'env:SLACK' },
      { kind: 'command', command: ['notify', '--now'] },
    ],
  });
});

const rule = (line: string): string => `alerts:\n  - name: r\n    when: { salience: 0.4 }\n    ${line}\n`;

test.each([
  ['alerts: yes', /a\.yaml:1: alerts: expected a list of rules/],
  ['alerts:\n  - name: r', /:2: alerts\.0\.when: expected conditions, such as/],
  [
    'alerts:\n  - name: r\n    when: {}',
    /:3: alerts\.0\.when: name a condition: salience, importance, appears/,
  ],
  [
    'alerts:\n  - name: r\n    when: { salient: 1 }',
    /:3: alerts\.0\.when\.salient: unknown; when takes: salience/,
  ],
  [
    'alerts:\n  - name: r\n    when: { salience: 4 }',
    /:3: alerts\.0\.when\.salience: expected a number from 0 to 1/,
  ],
  ['alerts:\n  - name: r\n    when: { gone: 1 }', /:3: alerts\.0\.when\.gone: expected true/],
  [
    'alerts:\n  - name: r\n    when: { number: { after: x } }',
    /alerts\.0\.when\.number: give one of: above, below, crosses/,
  ],
  [
    'alerts:\n  - name: r\n    when: { operation: { op: add } }',
    /operation\.op: expected one of: insert, delete, update, move/,
  ],
  [
    'alerts:\n  - { name: r, when: { gone: true } }\n  - { name: r, when: { back: true } }',
    /:3: alerts\.1\.name: another rule is named 'r'/,
  ],
  [rule('wehre: {}'), /:4: alerts\.0\.wehre: unknown; a rule takes: name, where, when, send/],
  [
    rule('where: { css: "a:hover" }'),
    /:4: alerts\.0\.where\.css: 'a:hover' is no selector that can be followed; accepted: tag/,
  ],
  [rule('where: { block: 2 }'), /:4: alerts\.0\.where\.block/],
  [
    rule('atMost: often'),
    /:4: alerts\.0\.atMost: 'often' is no limit; write messages per time, such as '1 per 2h'/,
  ],
  [rule('quiet: at night'), /:4: alerts\.0\.quiet: 'at night' is no span of hours; write e\.g\. 22:00-07:00/],
  [rule('quiet: 22:00-07:00 Nowhere/Land'), /:4: alerts\.0\.quiet: no time zone is named 'Nowhere\/Land'/],
  [rule('quiet: 0:00-24:00'), /:4: alerts\.0\.quiet: '0:00-24:00' is no span of hours/],
  [rule('digest: weekly'), /:4: alerts\.0\.digest: expected one of: none, hourly, daily/],
  [rule('send: { fax: 1 }'), /:4: alerts\.0\.send\.fax: unknown; send takes: webhook, secret, slack/],
  [rule('send: { webhook: ftp://x }'), /:4: alerts\.0\.send\.webhook: .*http or https address/],
  [
    rule('send: { webhook: https://x.org/, secret: hunter2 }'),
    /:4: alerts\.0\.send\.secret: a secret does not belong into the file: write env:NAME/,
  ],
  [rule('send: { secret: env:X }'), /:4: alerts\.0\.send\.secret: a secret signs what goes to a webhook/],
  [rule('send: { email: "a@b.c, d@e.f" }'), /:4: alerts\.0\.send\.email: .*e-mail address/],
  [
    'alerts:\n  - name: r\n    where: { css: main }\n    when: { gone: true }',
    /:3: alerts\.0\.where: a block or region can only change/,
  ],
  ['delivery: { smpt: {} }', /:1: delivery\.smpt: unknown; delivery takes: address, allowPrivate/],
])('%j => line, and what is accepted', async (text, complaint) => {
  await expect(read(text)).rejects.toThrow(complaint);
});
