import net from 'node:net';

/** A way to a server on loopback that can be cut, or swallow everything without a word. */
export interface FickleNetwork {
  readonly port: number;
  /** From now on nothing passes in either direction, and nothing is closed; new connections too unless `lets` them. */
  swallow(options?: { readonly letsNew: boolean }): void;
  heal(): void;
  /** The next message from a client that contains the text is passed on, and its connection then cut before the answer. */
  cutAfter(text: string): void;
  /** The next message from a client that contains the text is swallowed, and everything from then on, new connections too. */
  swallowAt(text: string): void;
  close(): Promise<void>;
}

export async function fickleNetwork(target: number): Promise<FickleNetwork> {
  const sockets = new Set<net.Socket>();
  let isSwallowing = false;
  let letsNew = true;
  let cutText: string | undefined;
  let swallowText: string | undefined;
  const swallow = (options: { readonly letsNew: boolean }): void => {
    isSwallowing = true;
    letsNew = options.letsNew;
    swallowedSince = performance.now();
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    const swallowed = (): boolean => isSwallowing && (!letsNew || born < swallowedSince);
    const born = performance.now();
    let isCut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes: Buffer) => {
      if (swallowed()) return;
      if (swallowText !== undefined && bytes.includes(swallowText)) {
        swallowText = undefined;
        swallow({ letsNew: false });
        return;
      }
      if (cutText !== undefined && bytes.includes(cutText)) {
        cutText = undefined;
        isCut = true;
        upstream.write(bytes);
        return;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (isCut) {
        client.destroy();
        upstream.destroy();
      } else if (!swallowed()) client.write(bytes);
    });
    client.on('close', () => {
      if (!swallowed()) upstream.destroy();
    });
    upstream.on('close', () => {
      if (!swallowed()) client.destroy();
    });
  });
  let swallowedSince = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    swallow: (options = { letsNew: true }) => swallow(options),
    heal() {
      // Connections that lost bytes are of no use to anyone; those begun later never were swallowed.
      letsNew = true;
      swallowedSince = performance.now();
    },
    cutAfter(text) {
      cutText = text;
    },
    swallowAt(text) {
      swallowText = text;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
