import { RequestProblem } from '../api-error.ts';
import type { ServerWork } from '../server-work.ts';

/** What is written or computed in processes of their own, or a 403 where this server does nothing of the kind. */
export function required(work: ServerWork | undefined): ServerWork {
  if (work) return work;
  throw new RequestProblem(403, 'this server only shows the archive', 'use the command line');
}
