import type { FileHandle } from 'node:fs/promises';
import type { S3Client } from '@aws-sdk/client-s3';

export interface PartedUpload {
  readonly client: S3Client;
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly key: string;
}

type Ask = <T>(work: (bucket: { readonly Bucket: string }) => Promise<T>) => Promise<T>;

/** Size of a part in bytes: S3 requires at least 5 MB, and at most 10,000 parts. */
const PART = 16 << 20;

/**
 * A large file, part by part: the object appears whole with the last request. A failed upload leaves nothing
 * behind.
 */
export async function uploadParts(
  { client, sdk, key: Key }: PartedUpload,
  file: FileHandle,
  size: number,
  ask: Ask,
): Promise<void> {
  const { UploadId } = await ask((bucket) =>
    client.send(new sdk.CreateMultipartUploadCommand({ ...bucket, Key })),
  );
  const upload = { Key, UploadId };
  try {
    const Parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = [];
    for (let from = 0; from < size; from += PART) {
      const PartNumber = Parts.length + 1;
      const { buffer: Body } = await file.read(Buffer.alloc(Math.min(PART, size - from)), 0, undefined, from);
      const { ETag } = await ask((bucket) =>
        client.send(new sdk.UploadPartCommand({ ...bucket, ...upload, PartNumber, Body })),
      );
      Parts.push({ PartNumber, ETag });
    }
    const MultipartUpload = { Parts };
    await ask((bucket) =>
      client.send(new sdk.CompleteMultipartUploadCommand({ ...bucket, ...upload, MultipartUpload })),
    );
  } catch (error) {
    await client
      .send(
        new sdk.AbortMultipartUploadCommand({
          Bucket: (await ask(async (bucket) => bucket)).Bucket,
          ...upload,
        }),
      )
      .catch(() => {});
    throw error;
  }
}
