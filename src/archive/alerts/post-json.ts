import { request } from 'node:http';
import { type AddressPolicy, guardedConnect } from '../../capture/http/guarded-connect.ts';
import { userAgent } from '../user-agent.ts';
import { DeliveryError } from './channel.ts';

/** Characters of an answer that an error quotes. */
const QUOTED = 200;

export interface Post {
  readonly address: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** From the first packet to the end of the response head, in milliseconds. */
  readonly timeLimit: number;
  /** The setting that allows private addresses: `delivery.allowPrivate` unless given. */
  readonly allowedBy?: string;
}

/**
 * Posts (JSON, unless a header says otherwise) to an address that the rules allow, over a connection to the very
 * address that was checked. Redirects are not followed: they would lead to unchecked addresses. Rejects with a
 * DeliveryError unless the answer is 2xx.
 */
export async function postJson(post: Post, policy: AddressPolicy, signal: AbortSignal): Promise<void> {
  const url = new URL(post.address);
  const isTls = url.protocol === 'https:';
  const where = `${url.protocol}//${url.host}`;
  const timeout = AbortSignal.timeout(post.timeLimit);
  const late = `${where} did not answer within ${post.timeLimit / 1000} s`;
  try {
    const { status, location, text } = await exchange(url, isTls, post, policy, [timeout, signal]);
    if (status >= 200 && status < 300) return;
    if (status >= 300 && status < 400)
      throw new DeliveryError(
        `${where} answered ${status}, to ${location ?? 'nowhere'}: redirects are not followed`,
      );
    if (status === 410) throw new DeliveryError(`${where} answered 410: it wants no more`, true);
    throw new DeliveryError(`${where} answered ${status}${text === '' ? '' : `: ${text}`}`);
  } catch (error) {
    if (error instanceof DeliveryError || (signal.aborted && error === signal.reason)) throw error;
    if (timeout.aborted) throw new DeliveryError(late);
    const said = (error as Error).message.replace(
      'give --allow-private to capture it',
      `set ${post.allowedBy ?? 'delivery.allowPrivate'} to allow it`,
    );
    throw new DeliveryError(said.includes(url.host) ? said : `${where}: ${said}`);
  }
}

interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

async function exchange(
  url: URL,
  isTls: boolean,
  { address, body, headers }: Post,
  policy: AddressPolicy,
  signals: readonly AbortSignal[],
): Promise<Answer> {
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  const target = { hostname: url.hostname, port, url: address, ...(isTls && { tls: { insecure: false } }) };
  const { socket } = await guardedConnect(target, policy, signals);
  let stop = (): void => {};
  return await new Promise<Answer>((resolve, reject) => {
    stop = () => reject(signals.find(({ aborted }) => aborted)?.reason);
    for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
    const asked = request({
      createConnection: () => socket,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: {
        'content-type': 'application/json',
        ...headers,
        host: url.host,
        'content-length': Buffer.byteLength(body),
        'user-agent': userAgent(undefined),
        connection: 'close',
        ...(url.username !== '' && { authorization: basic(url) }),
      },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers: got } = response;
      const answer = (text: string): void => resolve({ status, location: got.location, text });
      let text = '';
      response.setEncoding('utf8');
      // An answer may be endless; its beginning says what is wrong.
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length >= QUOTED) answer(oneLine(text));
      });
      response.on('end', () => answer(oneLine(text)));
      response.on('error', () => answer(oneLine(text)));
      if (status >= 200 && status < 300) answer('');
    });
    asked.end(body);
  }).finally(() => {
    // One of them is a watch's own, and outlives thousands of posts.
    for (const signal of signals) signal.removeEventListener('abort', stop);
    socket.destroy();
  });
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim().slice(0, QUOTED);

const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
