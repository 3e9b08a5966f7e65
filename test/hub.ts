import { createHmac } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubSubscriber {
  readonly topic: string;
  readonly callback: string;
  readonly secret: string;
  /** Status of the answer to its verification. */
  readonly verified: number;
}

/** A WebSub hub on loopback: takes subscriptions, verifies intent, distributes with a signature. */
export interface TestHub {
  readonly url: string;
  /** In the order they were verified, renewals too. */
  readonly subscribers: readonly HubSubscriber[];
  /** Of each request to subscribe: what it answers. 202 unless set. */
  status: number;
  /** Seconds that it grants. */
  lease: number;
  /** Posts a change to the callback of the last subscriber of a topic; its status. */
  publish(topic: string, body?: string, secret?: string): Promise<number>;
  close(): Promise<void>;
}

export async function startHub(): Promise<TestHub> {
  const subscribers: HubSubscriber[] = [];
  const server = createServer((asking, response) => {
    let text = '';
    asking.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    asking.on('end', () => {
      const form = new URLSearchParams(text);
      const isForm = asking.headers['content-type'] === 'application/x-www-form-urlencoded';
      const accepted = isForm && form.get('hub.mode') === 'subscribe' ? hub.status : 400;
      response.writeHead(accepted).end();
      if (accepted === 202) void verify(form).catch(() => {});
    });
  });
  async function verify(form: URLSearchParams): Promise<void> {
    const [topic, callback, secret] = ['topic', 'callback', 'secret'].map(
      (key) => form.get(`hub.${key}`) ?? '',
    );
    const challenge = `challenge-${subscribers.length}`;
    const asked = new URL(callback as string);
    const said = { mode: 'subscribe', topic: topic as string, challenge, lease_seconds: String(hub.lease) };
    for (const [key, value] of Object.entries(said)) asked.searchParams.set(`hub.${key}`, value);
    const answer = await fetch(asked);
    const isMeant = answer.ok && (await answer.text()) === challenge;
    subscribers.push({
      ...{ topic: topic as string, callback: callback as string, secret: secret as string },
      verified: isMeant ? 200 : answer.status,
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hub: TestHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub`,
    subscribers,
    status: 202,
    lease: 86_400,
    async publish(topic, body = 'new', secret) {
      const to = subscribers.findLast((one) => one.topic === topic);
      if (!to) throw new Error(`nobody has subscribed to ${topic}`);
      const signature = createHmac('sha256', secret ?? to.secret)
        .update(body)
        .digest('hex');
      const answer = await fetch(to.callback, {
        method: 'POST',
        body,
        headers: { 'X-Hub-Signature': `sha256=${signature}`, 'content-type': 'application/atom+xml' },
      });
      return answer.status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return hub;
}

/** The public address of a watch: leads to a port of this machine, as a proxy in front of it does. */
export interface TestEntrance {
  readonly url: string;
  /** Requests wait until it is told. */
  leadsTo(port: number): void;
  close(): Promise<void>;
}

export async function startEntrance(): Promise<TestEntrance> {
  let leadsTo: (port: number) => void = () => {};
  const port = new Promise<number>((resolve) => {
    leadsTo = resolve;
  });
  const server = createServer((incoming, response) => {
    void port.then((to) => {
      const { method, url: path, headers } = incoming;
      const onward = request({ host: '127.0.0.1', port: to, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadsTo,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
