/** The state of a page's service workers: while one is on its way to active, the page may be waiting for it. */
import type { CdpEvent, CdpSession } from './cdp-connection.ts';

type Version = CdpEvent<'ServiceWorker.workerVersionUpdated'>['versions'][number];

/** new → installing → installed → activating → activated; redundant from any. An installed one may wait for ever. */
const ON_ITS_WAY: ReadonlySet<Version['status']> = new Set(['new', 'installing', 'activating']);

export class WorkerWatch {
  readonly #onItsWay = new Set<string>();
  /** When a worker last advanced, in milliseconds; 0: there is none. */
  lastStep = 0;

  listen(session: CdpSession): void {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => this.tell(versions, Date.now()));
  }

  tell(versions: readonly Pick<Version, 'versionId' | 'status' | 'runningStatus'>[], now: number): void {
    for (const { versionId, status, runningStatus } of versions) {
      // A worker that was stopped on its way, or whose script could not be fetched, is not waited for.
      const isOver = status !== 'new' && runningStatus === 'stopped';
      if (ON_ITS_WAY.has(status) && !isOver) this.#onItsWay.add(versionId);
      else this.#onItsWay.delete(versionId);
      this.lastStep = now;
    }
  }

  get isBusy(): boolean {
    return this.#onItsWay.size > 0;
  }
}
