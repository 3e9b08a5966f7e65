import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenBrowser } from './inside.ts';

/** Debian's; another by FIREFOX_PATH. */
export const FIREFOX = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
export const hasFirefox = (): boolean => existsSync(FIREFOX);

interface BidiAnswer {
  readonly id?: number;
  readonly type: string;
  readonly message?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes.
  readonly result?: any;
}

/** Firefox over WebDriver BiDi, spoken directly. Its own look-ups stay as they are: the canary tells them apart. */
export async function openFirefox(): Promise<OpenBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'daguerre-firefox-'));
  const preferences = {
    'datareporting.policy.dataSubmissionEnabled': false,
    // It would ask before a form of this machine is sent elsewhere, and nobody is there to say yes.
    'security.warn_submit_secure_to_insecure': false,
  };
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(path.join(profile, 'user.js'), lines.join(''));
  const args = [
    '--headless',
    '--no-remote',
    '--profile',
    profile,
    '--remote-debugging-port',
    '0',
    'about:blank',
  ];
  const child = spawn(FIREFOX, args, { env: { ...process.env, HOME: profile } });
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said += piece.toString();
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let last = 0;
  const waiting = new Map<number, (answer: BidiAnswer) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  const send = async (method: string, params: object = {}): Promise<NonNullable<BidiAnswer['result']>> => {
    const id = ++last;
    const answer = await new Promise<BidiAnswer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message}`);
    return answer.result;
  };
  await send('session.new', { capabilities: {} });
  return {
    async open(url) {
      const { context } = await send('browsingContext.create', { type: 'tab' });
      // Without waiting: a page that never stops loading is no reason to stop.
      await send('browsingContext.navigate', { context, url, wait: 'none' });
      return {
        async title() {
          const target = { context };
          const found = await send('script.evaluate', {
            expression: 'document.title',
            target,
            awaitPromise: false,
          }).catch(() => undefined);
          return String(found?.result?.value ?? '');
        },
        close: async () => void (await send('browsingContext.close', { context })),
      };
    },
    async close() {
      socket.close();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
