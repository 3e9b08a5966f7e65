import { createWriteStream } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { type RemoteRecords, StorageFault } from '../../ports/remote-records.ts';
import { RECORD_FILE } from '../archive-folder.ts';
import { openS3Client, s3Access } from './s3-client.ts';
import {
  isAbsent,
  isTaken,
  isUnknownCondition,
  patiently,
  type StorePatience,
  storeFault,
} from './s3-faults.ts';
import { uploadParts } from './s3-parts.ts';
import { placeText, type S3Place } from './s3-place.ts';

export interface S3Options {
  readonly place: S3Place;
  readonly patience: StorePatience;
  readonly cacheSize: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Larger files are uploaded in parts. */
  readonly singlePut?: number;
}

/** Largest file that is put in one request, in bytes. */
const SINGLE_PUT = 64 << 20;
const FOLDER = 'warc/';

/** Opens the place in the store; sends no request yet. */
export async function openS3Records(options: S3Options): Promise<RemoteRecords> {
  const access = await s3Access(options.env ?? process.env);
  const sdk = await import('@aws-sdk/client-s3');
  const client = await openS3Client(access);
  const server = access.endpoint ?? `S3 in ${access.region}`;
  return new S3Records(options, { client, sdk, server });
}

type Sdk = typeof import('@aws-sdk/client-s3');

class S3Records implements RemoteRecords {
  readonly url: string;
  readonly cacheSize: number;
  readonly #options: S3Options;
  readonly #client: S3Client;
  readonly #sdk: Sdk;
  readonly #server: string;
  /** Stores that do not support conditions say so at the first one. */
  #knowsConditions = true;

  constructor(options: S3Options, { client, sdk, server }: { client: S3Client; sdk: Sdk; server: string }) {
    this.url = placeText(options.place);
    this.cacheSize = options.cacheSize;
    this.#options = options;
    this.#client = client;
    this.#sdk = sdk;
    this.#server = server;
  }

  async list(): Promise<readonly { readonly file: string; readonly size: number }[]> {
    return (await this.#below(FOLDER)).filter(({ file }) => RECORD_FILE.test(file) && !file.includes('/'));
  }

  async has(file: string): Promise<boolean> {
    return (await this.#size(file)) !== undefined;
  }

  async listNotes(folder: string): Promise<readonly string[]> {
    return (await this.#below(folder)).map(({ file }) => folder + file);
  }

  async #below(folder: string): Promise<readonly { readonly file: string; readonly size: number }[]> {
    const prefix = this.#key(folder);
    const files: { file: string; size: number }[] = [];
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#ask((bucket) =>
        this.#client.send(
          new this.#sdk.ListObjectsV2Command({
            ...bucket,
            Prefix: prefix,
            ...(token !== undefined && { ContinuationToken: token }),
          }),
        ),
      );
      for (const { Key = '', Size = 0 } of page.Contents ?? []) {
        files.push({ file: Key.slice(prefix.length), size: Size });
      }
      token = page.NextContinuationToken;
    }
    return files.sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  async put(file: string, path: string, { replace = false } = {}): Promise<void> {
    const { size } = await stat(path);
    const key = this.#key(FOLDER + file);
    const { singlePut = SINGLE_PUT } = this.#options;
    if (size > singlePut) {
      // Without a condition: not every store supports one here. Keys are unique by time and chance.
      const known = replace ? undefined : await this.#size(file);
      if (known === size) return;
      if (known !== undefined) throw this.#other(file);
      const handle = await open(path);
      try {
        const upload = { client: this.#client, sdk: this.#sdk, key };
        await uploadParts(upload, handle, size, (work) => this.#ask(work));
      } catch (error) {
        // The answer to the last request may have been lost.
        if ((await this.#size(file)) !== size) throw error;
      } finally {
        await handle.close();
      }
      return;
    }
    const body = await readFile(path);
    if ((await this.#write(key, body, !replace)) || (await this.#isEqual(file, body))) return;
    throw this.#other(file);
  }

  async range(file: string, offset: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    try {
      return await this.#ask(async (bucket) => {
        const Range = `bytes=${offset}-${offset + length - 1}`;
        const { Body } = await this.#client.send(
          new this.#sdk.GetObjectCommand({ ...bucket, Key: this.#key(FOLDER + file), Range }),
        );
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      });
    } catch (error) {
      if (error instanceof Error && error.cause instanceof Error && error.cause.name === 'InvalidRange')
        return Buffer.alloc(0);
      throw isAbsent(error) ? this.#gone(file, error) : error;
    }
  }

  async copyTo(file: string, path: string): Promise<void> {
    try {
      await this.#ask(async (bucket) => {
        const { Body } = await this.#client.send(
          new this.#sdk.GetObjectCommand({ ...bucket, Key: this.#key(FOLDER + file) }),
        );
        await pipeline(Body as Readable, createWriteStream(path));
      });
    } catch (error) {
      await rm(path, { force: true });
      throw isAbsent(error) ? this.#gone(file, error) : error;
    }
  }

  remove(file: string): Promise<void> {
    return this.removeNote(FOLDER + file);
  }

  async removeNote(name: string): Promise<void> {
    const Key = this.#key(name);
    await this.#ask((bucket) => this.#client.send(new this.#sdk.DeleteObjectCommand({ ...bucket, Key })));
  }

  async notesAround(name: string): Promise<readonly { readonly url: string; readonly text: string }[]> {
    const { bucket, prefix } = this.#options.place;
    const parts = prefix.split('/').filter((part) => part !== '');
    const above = parts.map((_, depth) => parts.slice(0, depth).join('/'));
    const below = (await this.#below('')).flatMap(({ file }) =>
      file.endsWith(`/${name}`) ? [this.#key(file.slice(0, -name.length - 1))] : [],
    );
    const notes: { url: string; text: string }[] = [];
    for (const place of [...above, ...below]) {
      // Keys that are good for this place alone are not answered above it.
      const text = await this.#text(place === '' ? name : `${place}/${name}`).catch((error: unknown) => {
        if (error instanceof StorageFault && error.kind === 'denied') return undefined;
        throw error;
      });
      if (text !== undefined) notes.push({ url: placeText({ bucket, prefix: place }), text });
    }
    return notes;
  }

  readNote(name: string): Promise<string | undefined> {
    return this.#text(this.#key(name));
  }

  async #text(Key: string): Promise<string | undefined> {
    try {
      return await this.#ask(async (bucket) => {
        const { Body } = await this.#client.send(new this.#sdk.GetObjectCommand({ ...bucket, Key }));
        return await Body?.transformToString();
      });
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  writeNote(name: string, text: string, { ifAbsent = false } = {}): Promise<boolean> {
    return this.#write(this.#key(name), Buffer.from(text), ifAbsent);
  }

  close(): void {
    this.#client.destroy();
  }

  #key(name: string): string {
    const { prefix } = this.#options.place;
    return prefix === '' ? name : `${prefix}/${name}`;
  }

  /** Final failures are put into words; what a 404 means, the caller knows. */
  async #ask<T>(work: (bucket: { readonly Bucket: string }) => Promise<T>): Promise<T> {
    const { bucket } = this.#options.place;
    const store = { url: this.url, bucket, server: this.#server };
    try {
      return await patiently(() => work({ Bucket: bucket }), store, this.#options.patience);
    } catch (error) {
      throw isAbsent(error) || isTaken(error) || isUnknownCondition(error) ? error : storeFault(error, store);
    }
  }

  /** False where the key is taken. */
  async #write(key: string, body: Buffer, ifAbsent: boolean): Promise<boolean> {
    const isConditional = ifAbsent && this.#knowsConditions;
    const command = {
      Key: key,
      Body: body,
      ContentLength: body.length,
      ...(isConditional && { IfNoneMatch: '*' }),
    };
    try {
      await this.#ask((bucket) =>
        this.#client.send(new this.#sdk.PutObjectCommand({ ...bucket, ...command })),
      );
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      if (!isConditional || !isUnknownCondition(error)) throw error;
      this.#knowsConditions = false;
      return this.#write(key, body, false);
    }
  }

  /** An answer may have been lost after the store had taken the file: then it is there, and ours. */
  async #isEqual(file: string, body: Buffer): Promise<boolean> {
    return (await this.#size(file)) === body.length && body.equals(await this.range(file, 0, body.length));
  }

  async #size(file: string): Promise<number | undefined> {
    const Key = this.#key(FOLDER + file);
    try {
      const found = await this.#ask((bucket) =>
        this.#client.send(new this.#sdk.HeadObjectCommand({ ...bucket, Key })),
      );
      return found.ContentLength ?? 0;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  #other(file: string): StorageFault {
    return new StorageFault(
      'foreign',
      `${this.url} holds another ${file} already: nothing was overwritten. Does another archive write to this place?`,
    );
  }

  /** Looks like a file missing from the folder: readers of records know what to do then. */
  #gone(file: string, cause: unknown): Error {
    const path = `${this.url}/${FOLDER}${file}`;
    const error = new Error(`ENOENT: no such record file, get '${path}'`, { cause });
    return Object.assign(error, { code: 'ENOENT', syscall: 'get', path });
  }
}
