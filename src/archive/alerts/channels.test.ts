import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { startHook } from '../../../test/loopback-hook.ts';
import type { OutgoingMessage } from '../../access/alerts/alert-payload.ts';
import type { Alert } from '../../model/alert.ts';
import type { Channel, DeliveryError } from './channel.ts';
import { CHAT_SERVICES, type ChannelSettings, DELIVERY_SETTINGS } from './channel-settings.ts';
import { chatBody } from './chat-templates.ts';
import { openChannels } from './open-channels.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const hook = async (...answer: Parameters<typeof startHook>) => {
  const started = await startHook(...answer);
  closing.push(started.close);
  return started;
};

const alert: Alert = {
  id: 'a1',
  rule: 'important',
  url: 'https://example.org/?a=1&b=2',
  kind: 'change',
  from: Date.UTC(2026, 2, 1, 8),
  to: Date.UTC(2026, 2, 2, 8),
  madeAt: Date.UTC(2026, 2, 2, 8, 1),
  importance: 0.25,
  salience: 0.52,
  summary: 'salience .52 >= .4: the lead story has news: “<!everyone> @here *x*”',
  operations: [{ op: 'insert', element: 'link', block: 'B1.2', weight: 0.1, new: 'Neu\r\nBcc: x@y.z' }],
};
const message: OutgoingMessage = { id: 'a1', rule: 'important', digest: 'none', alerts: [alert] };
const NOW = 1_772_438_460_500;

function channel(settings: ChannelSettings, more: object = {}, environment = {}): Channel {
  const delivery = DELIVERY_SETTINGS.parse({ allowPrivate: true, timeLimit: '300ms', ...more });
  const rule = { name: 'important', where: {}, when: {}, digest: 'none', zone: 'UTC' } as const;
  const opened = openChannels([{ rule, send: [settings] }], { delivery, environment, now: () => NOW });
  return opened.get('important')?.[0] as Channel;
}
const deliver = (to: Channel) => to.deliver(message, new AbortController().signal);
const refusal = async (to: Channel): Promise<DeliveryError> => {
  const error = await deliver(to).then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'DeliveryError' });
  return error as DeliveryError;
};

describe('webhook', () => {
  test('one alert => the ten members of the contract, signed after Standard Webhooks', async () => {
    const { url, received } = await hook();
    const secret = `whsec_${Buffer.from('a key').toString('base64')}`;
    await deliver(channel({ kind: 'webhook', address: url, secret: 'env:KEY' }, {}, { KEY: secret }));
    const [{ headers, body }] = received as [(typeof received)[0]];
    expect(JSON.parse(body)).toEqual({
      id: 'a1',
      rule: 'important',
      url: 'https://example.org/?a=1&b=2',
      from: '2026-03-01T08:00:00.000Z',
      to: '2026-03-02T08:00:00.000Z',
      importance: 0.25,
      salience: 0.52,
      summary: alert.summary,
      operations: alert.operations,
      compare:
        'http://127.0.0.1:8470/#/page?url=https%3A%2F%2Fexample.org%2F%3Fa%3D1%26b%3D2&from=20260301080000&to=20260302080000',
    });
    expect(headers).toMatchObject({
      'webhook-id': 'a1',
      'webhook-timestamp': '1772438460',
      'content-type': 'application/json',
    });
    const signature = createHmac('sha256', 'a key').update(`a1.1772438460.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  test('two alerts => one message with both, under its own id', async () => {
    const { url, received } = await hook();
    const both = { ...message, id: 'm', alerts: [alert, { ...alert, id: 'a2' }] };
    await channel({ kind: 'webhook', address: url }).deliver(both, new AbortController().signal);
    expect(received[0]?.headers['webhook-id']).toBe('m');
    expect(received[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      id: 'm',
      summary: 'important: 2 alerts on one page',
      alerts: [{ id: 'a1' }, { id: 'a2' }],
    });
  });

  test('500, hangs, breaks off, nothing there => refused, with what happened', async () => {
    const broken = await hook((response) => void response.writeHead(500).end('no\n database'));
    expect((await refusal(channel({ kind: 'webhook', address: broken.url }))).message).toMatch(
      / answered 500: no database$/,
    );
    const silent = await hook(() => {});
    expect((await refusal(channel({ kind: 'webhook', address: silent.url }))).message).toMatch(
      /did not answer within 0.3 s/,
    );
    const cut = await hook((response) => void response.destroy());
    expect((await refusal(channel({ kind: 'webhook', address: cut.url }))).message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+: /,
    );
    await cut.close();
    expect((await refusal(channel({ kind: 'webhook', address: cut.url }))).message).toMatch(/127\.0\.0\.1/);
    expect((await refusal(channel({ kind: 'webhook', address: cut.url }))).isFinal).toBe(false);
  });

  test('a server that takes connections and never speaks => the time limit', async () => {
    const server = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const address = `https://127.0.0.1:${(server.address() as { port: number }).port}/`;
    expect((await refusal(channel({ kind: 'webhook', address }))).message).toMatch(/did not answer within/);
  });

  test('410 => final; a redirect => not followed, wherever it leads', async () => {
    const gone = await hook((response) => void response.writeHead(410).end());
    expect((await refusal(channel({ kind: 'webhook', address: gone.url }))).isFinal).toBe(true);
    const target = await hook();
    const moved = await hook((response) => void response.writeHead(307, { location: target.url }).end());
    expect((await refusal(channel({ kind: 'webhook', address: moved.url }))).message).toMatch(
      /answered 307, to http.*not followed/,
    );
    expect(target.received).toEqual([]);
  });

  test('a private address => refused before anything is sent, unless allowed; by name as well', async () => {
    const { url, received } = await hook();
    const strict = { allowPrivate: false };
    for (const address of [
      url,
      url.replace('127.0.0.1', 'localhost'),
      'http://[::1]:9/',
      'http://169.254.1.1/',
    ])
      expect((await refusal(channel({ kind: 'webhook', address }, strict))).message).toMatch(
        /not public: refused; set delivery\.allowPrivate to allow it/,
      );
    expect(received).toEqual([]);
  });

  test('a secret that is not set => a UserError that names it', () => {
    expect(() => channel({ kind: 'webhook', address: 'env:NOWHERE' })).toThrow(
      /needs the environment variable NOWHERE/,
    );
    expect(() => channel({ kind: 'webhook', address: 'env:X' }, {}, { X: 'ftp://x' })).toThrow(
      /holds no http/,
    );
  });
});

describe('chat services', () => {
  test.each(CHAT_SERVICES)('%s => its own form, and no text of a page calls anybody', async (kind) => {
    const { url, received } = await hook();
    const secretAddress = `${url}/T000/B000/XXXX`;
    const chat = channel({ kind, address: secretAddress });
    await deliver(chat);
    const body = received[0]?.body ?? '';
    expect(JSON.parse(body)).toEqual(chatBody(kind, message, 'http://127.0.0.1:8470'));
    expect(body).not.toMatch(/<!everyone>|@here/);
    expect(body).toContain('important: https://example.org/');
    expect(chat.name).not.toContain('XXXX');
  });

  test('25 alerts => ten are listed, the rest is counted', () => {
    const many = { ...message, alerts: Array.from({ length: 25 }, () => alert) };
    expect((chatBody('mattermost', many, '') as { text: string }).text).toMatch(/and 15 more$/);
    expect((chatBody('discord', many, '') as { content: string }).content.length).toBeLessThanOrEqual(2000);
  });
});

describe('e-mail', () => {
  const smtp = (port: number) => ({ smtp: { host: '127.0.0.1', port, from: 'archive@example.org' } });

  test('a real SMTP server => subject, text, one recipient more is not smuggled in', async () => {
    const mails: { text: string; to: string[] }[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, callback) {
        let text = '';
        stream.setEncoding('utf8');
        stream.on('data', (chunk: string) => {
          text += chunk;
        });
        stream.on('end', () => {
          mails.push({ text, to: session.envelope.rcptTo.map(({ address }) => address) });
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
    const { port } = server.server.address() as { port: number };
    await deliver(channel({ kind: 'email', to: ['desk@example.org'] }, { ...smtp(port), timeLimit: '5s' }));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(['desk@example.org']);
    expect(mails[0]?.text).toMatch(/^Subject: important: https:\/\/example\.org\//m);
    expect(mails[0]?.text).toMatch(/^Message-ID: <a1@example\.org>/m);
    expect(mails[0]?.text).toContain('salience .52');
  });

  test('no server there => refused; none configured => a UserError', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const error = await refusal(channel({ kind: 'email', to: ['a@example.org'] }, smtp(port)));
    expect(error.message).toMatch(/^mail server 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    expect(() => channel({ kind: 'email', to: ['a@example.org'] })).toThrow(
      /no server is named: add delivery/,
    );
  });

  test('a server that never greets => refused', async () => {
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => silent.close(resolve)));
    const { port } = silent.address() as { port: number };
    const error = await refusal(channel({ kind: 'email', to: ['a@example.org'] }, smtp(port)));
    expect(error.message).toMatch(/^mail server .*(?:[Gg]reeting|Timeout)/);
  });
});

describe('a command', () => {
  test('JSON on standard input, arguments as they are, no shell', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
    closing.push(() => rm(folder, { recursive: true }));
    const script = join(folder, 'take.mjs');
    const out = join(folder, 'out');
    await writeFile(
      script,
      `import { readFileSync, writeFileSync } from 'node:fs';
       writeFileSync(process.argv[2], JSON.stringify([process.argv[3], JSON.parse(readFileSync(0, 'utf8')).id]));`,
    );
    const command = [process.execPath, script, out, '$HOME; `id`'] as const;
    await deliver(channel({ kind: 'command', command }, { timeLimit: '20s' }));
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(['$HOME; `id`', 'a1']);
  });

  test('missing, failing, hanging => refused, with what happened; what it started is killed', async () => {
    const run = (...command: [string, ...string[]]) =>
      refusal(channel({ kind: 'command', command }, { timeLimit: '2s' }));
    expect((await run('/nowhere/at-all')).message).toMatch(/could not be started: .*ENOENT/);
    const failing = await run(process.execPath, '-e', 'console.error("no room"); process.exit(3)');
    expect(failing.message).toMatch(/ended with 3: no room/);
    expect((await run('sh', '-c', 'sleep 600 & wait')).message).toMatch(
      /had not ended after 2 s and was killed/,
    );
    // Reads none of its input.
    await deliver(channel({ kind: 'command', command: ['true'] }, { timeLimit: '20s' }));
  });
});
