import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** A real object store, and a place in it that nobody else uses. */
export interface TestS3 {
  /** For a process that is to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** `s3://bucket/prefix` */
  readonly storage: string;
}

/** Undefined where none can be had, and then it is said why. */
export async function testS3(what: string): Promise<TestS3 | undefined> {
  const given = process.env.DAGUERRE_TEST_S3;
  if (given === undefined || given === '') {
    console.warn(
      `skipped: ${what}, because DAGUERRE_TEST_S3 names no object store (scripts/s3-server.sh starts one)`,
    );
    return undefined;
  }
  // Of interest to whoever chooses versions, not to whoever reads the output of tests.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { username, password, origin, pathname } = new URL(given);
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
  const bucket = pathname.slice(1) || 'daguerre-test';
  const client = new S3Client({ endpoint: origin, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    const { name } = error as Error;
    if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error;
  });
  client.destroy();
  return {
    env: {
      AWS_ENDPOINT_URL_S3: origin,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
    storage: `s3://${bucket}/${randomUUID()}`,
  };
}
