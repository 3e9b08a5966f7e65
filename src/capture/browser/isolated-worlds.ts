import { setTimeout as pause } from 'node:timers/promises';
import { CdpError, type CdpSession } from './cdp-connection.ts';

/** Milliseconds before a document that was replaced is asked again; each time as much longer. */
const PAUSE = 10;

/** A script for a frame; `isOver`: nobody waits for the answer any more. */
export interface FrameScript {
  readonly frameId: string;
  readonly expression: string;
  readonly isOver: () => boolean;
}

/** Worlds of our own in the frames of a page: its scripts do not see ours, and cannot change what ours call. */
export class IsolatedWorlds {
  readonly #worlds = new Map<string, Promise<number>>();
  readonly #mostNavigations: number;

  /** `mostNavigations`: how often a document may be replaced while it is asked. */
  constructor(mostNavigations: number) {
    this.#mostNavigations = mostNavigations;
  }

  /** The frame has another document, or is gone. */
  forget(frameId: string): void {
    this.#worlds.delete(frameId);
  }

  /** The value of an expression, a string. */
  async evaluate(session: CdpSession, { frameId, expression, isOver }: FrameScript): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
          expression,
          contextId: await this.#worldOf(session, frameId),
          awaitPromise: true,
          returnByValue: true,
        });
        if (!exceptionDetails) return String(result.value);
        throw new CdpError(exceptionDetails.exception?.description ?? exceptionDetails.text);
      } catch (error) {
        // The document was replaced meanwhile, perhaps by one that will be replaced as well.
        this.forget(frameId);
        if (!(error instanceof CdpError) || attempt > this.#mostNavigations || isOver()) throw error;
        await pause(PAUSE * attempt);
      }
    }
  }

  #worldOf(session: CdpSession, frameId: string): Promise<number> {
    const known = this.#worlds.get(frameId);
    if (known) return known;
    const world = session
      .send('Page.createIsolatedWorld', { frameId, worldName: 'daguerre' })
      .then((made) => made.executionContextId);
    this.#worlds.set(frameId, world);
    return world;
  }
}
