/**
 * What a store's own tools do, for machines without them:
 *
 *   npx tsx scripts/bucket.ts make s3://bucket              makes the bucket if it is missing
 *   npx tsx scripts/bucket.ts copy s3://a/prefix s3://b/prefix   copies the objects of an archive that are missing or differ
 *
 * Keys and server as for `--storage` (docs/storage.md). A copy writes `archive.json` last, so that an interrupted one is not an archive.
 */
import { CopyObjectCommand, CreateBucketCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';

const client = new S3Client({
  region: process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
  forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
});

interface Place {
  readonly bucket: string;
  /** Without a trailing slash. */
  readonly prefix: string;
}

function placeOf(text: string | undefined): Place {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(text ?? '') ?? [];
  if (bucket === undefined) throw new Error(`s3://bucket/prefix, not '${text ?? ''}'`);
  return { bucket, prefix };
}

async function make({ bucket }: Place): Promise<void> {
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    const { name } = error as Error;
    if (name !== 'BucketAlreadyOwnedByYou' && name !== 'BucketAlreadyExists') throw error;
  });
}

/** Size and checksum of each object, by its name below the prefix. */
async function listed({ bucket, prefix }: Place): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const below = prefix === '' ? '' : `${prefix}/`;
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: below }))
    for (const { Key = '', Size, ETag } of page.Contents ?? [])
      found.set(Key.slice(below.length), `${Size} ${ETag}`);
  return found;
}

async function copy(from: Place, to: Place): Promise<void> {
  const [source, target] = [await listed(from), await listed(to)];
  if (!source.has('archive.json')) throw new Error('there is no archive.json: no archive lies there');
  const wanted = [...source.keys()].filter((name) => source.get(name) !== target.get(name));
  const last = (name: string): number => (name === 'archive.json' ? 1 : 0);
  for (const name of wanted.sort((a, b) => last(a) - last(b)))
    await client.send(
      new CopyObjectCommand({
        CopySource: encodeURI(`${from.bucket}/${keyIn(from, name)}`),
        ...{ Bucket: to.bucket, Key: keyIn(to, name) },
      }),
    );
  process.stdout.write(`${wanted.length} of ${source.size} objects copied\n`);
}

const keyIn = ({ prefix }: Place, name: string): string => (prefix === '' ? name : `${prefix}/${name}`);

const [action, first, second] = process.argv.slice(2);
if (action === 'make') await make(placeOf(first));
else if (action === 'copy') {
  await make(placeOf(second));
  await copy(placeOf(first), placeOf(second));
} else throw new Error(`make or copy, not '${action ?? ''}'`);
