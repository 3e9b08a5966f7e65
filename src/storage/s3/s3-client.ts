import { homedir } from 'node:os';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageFault } from '../../ports/remote-records.ts';
import { readIfThere } from '../whole-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface S3Access {
  readonly endpoint?: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

/** Time limits for connecting, and between two pieces of an answer, in milliseconds. */
const CONNECT = 5_000;
const SILENCE = 30_000;

/**
 * From the environment, or from the profile in `~/.aws/credentials`, and nowhere else. The SDK's own chain of providers
 * would end at a cloud's metadata service (169.254.169.254): an archiver contacts nobody it was not told to contact.
 */
export async function s3Access(env: Environment): Promise<S3Access> {
  const profile = await readProfile(env);
  const pick = (name: string): string | undefined => {
    const value = env[name.toUpperCase()] ?? profile.get(name);
    return value === undefined || value === '' ? undefined : value;
  };
  const accessKeyId = pick('aws_access_key_id');
  const secretAccessKey = pick('aws_secret_access_key');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new StorageFault(
      'denied',
      'no credentials for --storage: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile of ' +
        '~/.aws/credentials that has them',
    );
  const sessionToken = pick('aws_session_token');
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || profile.get('endpoint_url');
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:/.test(endpoint)))
    throw new StorageFault('refused', `AWS_ENDPOINT_URL_S3 is no http(s) URL: '${endpoint}'`);
  return {
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.get('region') || 'us-east-1',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
    ...(endpoint !== undefined && { endpoint }),
  };
}

/** The settings of the profile, from both files that the AWS tools keep. */
async function readProfile(env: Environment): Promise<ReadonlyMap<string, string>> {
  const name = env.AWS_PROFILE || 'default';
  const settings = new Map<string, string>();
  const files = [
    [env.AWS_CONFIG_FILE || join(homedir(), '.aws', 'config'), name === 'default' ? name : `profile ${name}`],
    [env.AWS_SHARED_CREDENTIALS_FILE || join(homedir(), '.aws', 'credentials'), name],
  ] as const;
  for (const [path, section] of files) {
    let isOurs = false;
    for (const line of ((await readIfThere(path)) ?? '').split('\n')) {
      const [, head] = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line) ?? [];
      if (head !== undefined) isOurs = head === section;
      const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (isOurs && key !== undefined && value !== undefined) settings.set(key, value);
    }
  }
  return settings;
}

export async function openS3Client({ endpoint, region, credentials }: S3Access): Promise<S3Client> {
  // Otherwise it would tell users, in the middle of the progress line, which Node the SDK will need next
  // year.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // Loaded on demand: most archives are in a folder.
  const { S3Client: Client } = await import('@aws-sdk/client-s3');
  return new Client({
    region,
    credentials,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Retries are ours (s3-faults.ts): they report what is being waited for.
    maxAttempts: 1,
    // `auto` would ask the metadata service for the region.
    defaultsMode: 'standard',
    // Not every store supports checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    disableS3ExpressSessionAuth: true,
    requestHandler: { connectionTimeout: CONNECT, socketTimeout: SILENCE },
  });
}
