import { setTimeout as sleep } from 'node:timers/promises';
import { StorageFull } from '../../ports/record-store.ts';
import { StorageFault } from '../../ports/remote-records.ts';

/** What an answer of the store, or its absence, means; as the SDK reports it. */
interface ServiceError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: ServiceError): number => error.$metadata?.httpStatusCode ?? 0;

const DENIED = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'RequestTimeTooSkewed',
  'AuthorizationHeaderMalformed',
]);
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge']);

/** A connection that failed, or broke. */
const NO_ANSWER = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'TimeoutError',
]);

export const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  error.name !== 'NoSuchBucket' &&
  (error.name === 'NoSuchKey' || error.name === 'NotFound' || statusOf(error) === 404);

/** Somebody has already written the key. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'PreconditionFailed' || statusOf(error) === 412);

/** The store does not support `If-None-Match` on a PUT. */
export const isUnknownCondition = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotImplemented' || statusOf(error) === 501);

/** Transient: no answer, a broken connection, an overloaded server. */
function isPassing(error: ServiceError): boolean {
  const status = statusOf(error);
  if (DENIED.has(error.name) || FULL.has(error.name)) return false;
  if (status === 0) return NO_ANSWER.has(error.code ?? error.name);
  // 409: somebody else is writing the same key at this moment.
  return status === 409 || status === 429 || (status >= 500 && status !== 501 && status !== 507);
}

export interface StoreText {
  /** `s3://bucket/prefix`. */
  readonly url: string;
  readonly bucket: string;
  /** In the form people may look for: `http://127.0.0.1:7480`, or the region. */
  readonly server: string;
}

/** The fault in words, with what to do; other errors unchanged. */
export function storeFault(error: unknown, { url, bucket, server }: StoreText): unknown {
  if (!(error instanceof Error) || error instanceof StorageFault || error instanceof StorageFull)
    return error;
  const status = statusOf(error);
  if (FULL.has(error.name) || status === 507) return new StorageFull(url, error);
  if (error.name === 'NoSuchBucket')
    return new StorageFault(
      'absent',
      `there is no bucket '${bucket}' at ${server}: create it with the tools of the store, or correct --storage ${url}`,
      error,
    );
  if (DENIED.has(error.name) || status === 401 || status === 403)
    return new StorageFault(
      'denied',
      `${server} refuses access to ${url} (${error.name}): check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or ` +
        'AWS_PROFILE), that they may list, read, write and delete there, and the clock of this machine',
      error,
    );
  if (status === 301 || status === 307 || error.name === 'PermanentRedirect')
    return new StorageFault(
      'refused',
      `the bucket '${bucket}' lies in another region: set AWS_REGION`,
      error,
    );
  if (isPassing(error))
    return new StorageFault(
      'unreachable',
      `${server} does not answer for ${url} (${reasonOf(error)}): check that it runs, AWS_ENDPOINT_URL_S3 and the network, ` +
        'then run the same command',
      error,
    );
  if (status > 0)
    return new StorageFault(
      'refused',
      `${server} refuses what was asked of ${url}: ${reasonOf(error)}`,
      error,
    );
  return error;
}

const reasonOf = (error: ServiceError): string => {
  const status = statusOf(error);
  return [status > 0 ? `HTTP ${status}` : undefined, error.code ?? error.name, error.message]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
    .slice(0, 300);
};

export interface StorePatience {
  /** How long to wait for a store that becomes unreachable, in milliseconds. */
  readonly wait: number;
  readonly tell: (sentence: string) => void;
  readonly signal?: AbortSignal;
}

/** Pause before the second attempt, in milliseconds; doubled each time, up to the longest. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;
/** Longest silence that is not reported, in milliseconds. */
const UNTOLD = 1_000;

/** Retries while the fault may be transient, for as long as patience lasts. */
export async function patiently<T>(
  work: () => Promise<T>,
  store: StoreText,
  { wait, tell, signal }: StorePatience,
): Promise<T> {
  const begun = performance.now();
  let isTold = false;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
    try {
      const done = await work();
      if (isTold) tell(`${store.server} answers again: going on`);
      return done;
    } catch (error) {
      const silent = performance.now() - begun;
      if (!(error instanceof Error) || !isPassing(error) || silent >= wait || signal?.aborted) throw error;
      if (!isTold && silent >= UNTOLD) {
        isTold = true;
        tell(
          `${store.server} does not answer for ${store.url} (${reasonOf(error)}): waiting up to ${Math.round(wait / 1000)} s`,
        );
      }
      await sleep(Math.min(pause, Math.max(1, wait - silent)), undefined, signal ? { signal } : {}).catch(
        () => {},
      );
    }
  }
}
