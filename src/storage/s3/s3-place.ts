/** Where in an object store the records of an archive are. */
export interface S3Place {
  readonly bucket: string;
  /** Without a slash at either end; '' for the whole bucket. */
  readonly prefix: string;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** `s3://bucket/prefix`; undefined where the text is no such address. */
export function s3Place(text: string): S3Place | undefined {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/?#]*)(\/[^?#]*)?$/.exec(text) ?? [];
  if (!BUCKET.test(bucket)) return undefined;
  const parts = rest.split('/').filter((part) => part !== '');
  // Some servers, and every file system behind one, would interpret these as paths.
  if (parts.some((part) => part === '.' || part === '..' || /\p{Cc}/u.test(part))) return undefined;
  return { bucket, prefix: parts.join('/') };
}

export const placeText = ({ bucket, prefix }: S3Place): string =>
  `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
