import type { WorkerFact } from '../../model/worker.ts';
import type { WorkerCatalog } from '../../ports/catalog.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { type ClockReading, clockFault } from '../workers/compare-clocks.ts';

/**
 * What one version of Daguerre stores with a crawl, another may read otherwise; and one that waits for less than the others do takes
 * them all for dead. Whoever came later gives way: of two that come at once, one stays. So does whoever would date what it captures wrongly.
 */
export async function refuseOthers(
  catalog: Pick<WorkerCatalog, 'workers' | 'dismissWorkers'>,
  workerId: number,
  { silence, ...clock }: Joining,
): Promise<void> {
  const workers = await catalog.workers();
  const own = workers.find(({ id }) => id === workerId);
  const earlier = workers.filter(({ id }) => id < workerId);
  const refusal = otherVersion(earlier) ?? otherSilence(earlier, silence);
  const fault =
    refusal === undefined
      ? // Who comes and goes captures nothing.
        own && silence !== undefined && clockFault({ database: own.since, ...clock })
      : new UserError(refusal, 'conflict');
  if (!fault) return;
  await catalog.dismissWorkers([workerId]);
  throw fault;
}

export interface Joining extends Pick<ClockReading, 'before' | 'after'> {
  readonly silence: number | undefined;
}

const named = ({ id, machine, process }: WorkerFact): string =>
  `worker ${id} (${machine}, process ${process})`;

function otherVersion(earlier: readonly WorkerFact[]): string | undefined {
  const other = earlier.find(({ version }) => version !== VERSION);
  return (
    other &&
    `${named(other)} is of Daguerre ${other.version}, and this is ${VERSION}: ` +
      'one archive is shared by processes of one version. Stop those of the other (SIGTERM; what they have is given back), ' +
      'then start this one again; nothing was changed'
  );
}

function otherSilence(earlier: readonly WorkerFact[], own: number | undefined): string | undefined {
  if (own === undefined) return undefined;
  const other = earlier.find(({ silence = own }) => silence !== own);
  return (
    other &&
    `${named(other)} was started with a silence of ${(other.silence ?? 0) / 1000} s, and this one with ${own / 1000} s: who shares ` +
      'an archive waits alike for signs of life. Give the same --silence (or DAGUERRE_SILENCE) as the others have; nothing was changed'
  );
}
