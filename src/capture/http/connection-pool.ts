import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Idle connections are closed after this long, in milliseconds; a server that closes sooner is noticed. */
const IDLE_TIME = 30 * 1000;
const SWEEP_INTERVAL = 5 * 1000;
const IDLE_PER_ORIGIN = 16;

/** The exchange that is using a connection. */
export interface ConnectionUser {
  onData(piece: Buffer): void;
  /** The connection is closed; no further call follows. */
  onClose(error: Error | undefined): void;
}

/** One socket, one exchange at a time. */
export class HttpConnection {
  readonly origin: string;
  readonly socket: Socket;
  readonly ip: string | undefined;
  /** `tls/1.3` or undefined, as WARC-Protocol spells it. */
  readonly tls: string | undefined;
  /** It has served an exchange before, so it may have gone stale unnoticed. */
  reused = false;
  idleSince = 0;
  user: ConnectionUser | undefined;
  private isOpen = true;

  constructor(
    origin: string,
    socket: Socket,
    ip: string | undefined,
    onGone: (connection: HttpConnection) => void,
  ) {
    this.origin = origin;
    this.socket = socket;
    this.ip = ip?.replace(/^::ffff:(?=\d+\.)/, '');
    const version = socket instanceof TLSSocket ? socket.getProtocol() : null;
    this.tls = version?.replace(/^TLSv/, 'tls/') ?? undefined;
    let failure: Error | undefined;
    const gone = (): void => {
      if (!this.isOpen) return;
      this.isOpen = false;
      onGone(this);
      this.user?.onClose(failure);
      socket.destroy();
    };
    socket.on('data', (piece: Buffer) => {
      if (this.user !== undefined) this.user.onData(piece);
      else gone();
    });
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('end', gone);
    socket.on('close', gone);
    // A socket from which a proxy's answer was read is paused.
    socket.resume();
  }

  /** Called when the user has let go of it, or wants nothing more from it. */
  destroy(): void {
    this.user = undefined;
    this.socket.destroy();
  }
}

/** Idle connections by origin, newest used first: the newest is least likely to have gone stale. */
export class ConnectionPool {
  private readonly idle = new Map<string, HttpConnection[]>();
  private readonly all = new Set<HttpConnection>();
  private sweeper: NodeJS.Timeout | undefined;

  /** `ip`: the address it leads to; the socket itself may end at a proxy. */
  adopt(origin: string, socket: Socket, ip: string | undefined): HttpConnection {
    const connection = new HttpConnection(origin, socket, ip, (gone) => this.remove(gone));
    this.all.add(connection);
    return connection;
  }

  take(origin: string): HttpConnection | undefined {
    const connection = this.idle.get(origin)?.pop();
    connection?.socket.ref();
    return connection;
  }

  give(connection: HttpConnection): void {
    connection.user = undefined;
    const list = this.idle.get(connection.origin) ?? [];
    if (list.length >= IDLE_PER_ORIGIN || connection.socket.destroyed) {
      connection.destroy();
      return;
    }
    this.idle.set(connection.origin, list);
    connection.reused = true;
    connection.idleSince = performance.now();
    connection.socket.unref();
    list.push(connection);
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_INTERVAL).unref();
  }

  close(): void {
    clearInterval(this.sweeper);
    this.sweeper = undefined;
    for (const connection of this.all) connection.socket.destroy();
    this.idle.clear();
  }

  private remove(connection: HttpConnection): void {
    this.all.delete(connection);
    const list = this.idle.get(connection.origin);
    const at = list?.indexOf(connection) ?? -1;
    if (at >= 0) list?.splice(at, 1);
  }

  private sweep(): void {
    const oldest = performance.now() - IDLE_TIME;
    for (const [origin, list] of this.idle) {
      for (const connection of list.filter(({ idleSince }) => idleSince < oldest)) {
        list.splice(list.indexOf(connection), 1);
        connection.destroy();
      }
      if (list.length === 0) this.idle.delete(origin);
    }
    if (this.idle.size === 0) {
      clearInterval(this.sweeper);
      this.sweeper = undefined;
    }
  }
}
