import type { Session } from '../../capture/session/session.ts';
import type { SessionState } from '../../capture/session/visitors.ts';
import type { SessionFile } from './session-file.ts';

/** Interval between two writes of the file, in milliseconds. */
const SAVE_EVERY = 1000;

/**
 * Keeps a session file in step with what is committed: after `kill -9` it reflects what stored visits did, and no
 * more.
 */
export class SessionKeeper {
  readonly #session: Session;
  readonly #file: SessionFile;
  readonly #content: { readonly isPrivate: boolean; readonly supplied: SessionState };
  readonly #tell: (note: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    session: Session,
    file: SessionFile,
    content: { readonly isPrivate: boolean; readonly supplied: SessionState },
    tell: (note: string) => void,
  ) {
    this.#session = session;
    this.#file = file;
    this.#content = content;
    this.#tell = tell;
  }

  /** The visit of this URL is in the catalog. */
  settled(url: string): void {
    if (!this.#session.visitors.settle(url)) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#saving.then(() => this.#save());
    }, SAVE_EVERY);
  }

  /** `isWhole`: everything that was visited is committed. */
  async close(isWhole: boolean): Promise<void> {
    clearTimeout(this.#timer);
    if (isWhole) this.#session.visitors.settleAll();
    await this.#saving;
    await this.#save();
  }

  async #save(): Promise<void> {
    try {
      await this.#file.save({ ...this.#content, sites: this.#session.visitors.committed(Date.now()) });
    } catch (error) {
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      const why = error instanceof Error ? error.message : String(error);
      this.#tell(`the session file ${this.#file.path} could not be written: ${why}`);
    }
  }
}
