import { createHash } from 'node:crypto';
import type { Millis } from '../../model/time.ts';
import { jsonObject } from './pages-file.ts';
import type { AddedEntry } from './zip-writer.ts';

export const WACZ_VERSION = '1.1.1';

export interface PackageFacts {
  readonly title?: string;
  /** Name and version of what wrote it. */
  readonly software: string;
  readonly created: Millis;
}

/** `datapackage.json`, and `datapackage-digest.json` that vouches for it. `mainPage`: where the viewer opens. */
export function dataPackage(
  facts: PackageFacts,
  entries: readonly AddedEntry[],
  mainPage?: { readonly url: string; readonly at: Millis },
) {
  const names = new Set<string>();
  const content = Buffer.from(
    JSON.stringify(
      {
        profile: 'data-package',
        resources: entries.map((entry) => ({
          name: resourceName(entry.name, names),
          path: entry.name,
          hash: `sha256:${entry.sha256}`,
          bytes: entry.bytes,
        })),
        title: facts.title,
        // The standard's spelling; py-wacz writes `mainPageURL`.
        mainPageUrl: mainPage?.url,
        mainPageDate: mainPage && isoSeconds(mainPage.at),
        created: isoSeconds(facts.created),
        wacz_version: WACZ_VERSION,
        software: facts.software,
      },
      null,
      2,
    ),
  );
  const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  const digest = Buffer.from(JSON.stringify({ path: 'datapackage.json', hash }, null, 2));
  return { content, digest };
}

/** Data packages allow only these characters in a name, and each name once. */
function resourceName(path: string, taken: Set<string>): string {
  const base = path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/[^-a-z0-9._]/g, '-');
  let name = base;
  for (let i = 2; taken.has(name); i++) name = `${i}-${base}`;
  taken.add(name);
  return name;
}

/** Verifiers of signed packages compare this text literally, without fractions. */
function isoSeconds(at: Millis): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export interface Resource {
  readonly path: string;
  /** As node:crypto names it. */
  readonly algorithm: string;
  /** Lower-case hex. */
  readonly hash: string;
  readonly bytes?: number;
}

export interface ParsedPackage {
  readonly profile: string;
  readonly version?: string;
  readonly created?: string;
  readonly resources: readonly Resource[];
  /** What is wrong, in words; a package with faults is still used as far as possible. */
  readonly faults: readonly string[];
}

const ALGORITHMS = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']);

export function parseDataPackage(text: string): ParsedPackage | undefined {
  const json = jsonObject(text);
  if (json === undefined) return undefined;
  const faults: string[] = [];
  // Browsertrix writes none, though the specification asks for it; without one, there is no doubt what a package
  // is.
  const profile = typeof json.profile === 'string' && json.profile !== '' ? json.profile : 'data-package';
  const version = typeof json.wacz_version === 'string' ? json.wacz_version : undefined;
  if (version === undefined) faults.push('has no "wacz_version"');
  else if (!/^1\.\d+(\.\d+)?$/.test(version)) {
    faults.push(`WACZ version ${version} is not supported (1.0.0 to ${WACZ_VERSION} are)`);
  }
  const resources: Resource[] = [];
  if (!Array.isArray(json.resources) || json.resources.length === 0) faults.push('lists no "resources"');
  else {
    json.resources.forEach((value: unknown, i) => {
      const resource = parseResource(value);
      if (typeof resource === 'string') faults.push(`resource ${i + 1} ${resource}`);
      else resources.push(resource);
    });
  }
  return {
    profile,
    resources,
    faults,
    ...(version === undefined ? {} : { version }),
    ...(typeof json.created === 'string' && { created: json.created }),
  };
}

function parseResource(value: unknown): Resource | string {
  if (typeof value !== 'object' || value === null) return 'is not an object';
  const json = value as Record<string, unknown>;
  if (typeof json.path !== 'string' || json.path === '') return 'has no "path"';
  // 1.0.0 wrote {"hashing": "sha256", "stats": {"hash", "bytes"}}, later versions {"hash": "sha256:…", "bytes"}.
  const stats = (typeof json.stats === 'object' ? json.stats : null) as Record<string, unknown> | null;
  const written = json.hash ?? stats?.hash;
  if (typeof written !== 'string') return `(${json.path}) has no "hash"`;
  const hashing = typeof json.hashing === 'string' ? json.hashing : 'sha256';
  const parsed = parseHash(written.includes(':') ? written : `${hashing}:${written}`);
  if (typeof parsed === 'string') return `(${json.path}) ${parsed}`;
  const bytes = json.bytes ?? stats?.bytes;
  return { path: json.path, ...parsed, ...(typeof bytes === 'number' ? { bytes } : {}) };
}

/** `sha256:12ab…` => its parts, or what is wrong. */
export function parseHash(text: string): { algorithm: string; hash: string } | string {
  const colon = text.indexOf(':');
  const algorithm = text.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!ALGORITHMS.has(algorithm)) return `has a hash of unknown kind: ${JSON.stringify(text.slice(0, 20))}`;
  return { algorithm, hash: text.slice(colon + 1).toLowerCase() };
}
