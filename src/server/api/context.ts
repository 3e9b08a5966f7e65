import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Millis } from '../../model/time.ts';
import type { Access, Identity } from '../guard/identity.ts';
import type { Origins } from '../origins.ts';
import type { ServedArchive } from '../served-archive.ts';
import type { ServerWork } from '../server-work.ts';
import type { EventHub } from './event-hub.ts';
import type { AnswerCache } from './kept-answers.ts';

/** What every route has to work with. */
export interface ApiParts {
  readonly archive: () => Promise<ServedArchive>;
  readonly now: () => Millis;
  readonly events: EventHub;
  readonly kept: AnswerCache;
  readonly access: Access;
  readonly origins: () => Origins;
  /** Absent: nothing is written or run through this server. */
  readonly work?: ServerWork;
}

export interface RequestContext extends ApiParts {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Who asks; somebody without rights on an open route. */
  readonly identity: Identity;
}
