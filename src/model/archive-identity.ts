/** Which archive this is, wherever its folder is: kept in the folder, in the catalog and in every `warcinfo`. */
export interface ArchiveIdentity {
  /** Random, never changed: `k7mq-2xrt-9hbd`. */
  readonly id: string;
  /** For people; may be changed in the folder's file. */
  readonly name: string;
}

/** Which archive a catalog belongs to, and who last opened it for writing. */
export interface CatalogOwner extends ArchiveIdentity {
  /**
   * Random, new at each opening for writing, and noted in the folder too: a catalog with a different one was
   * written by a copy of the folder, or is itself an old copy.
   */
  readonly opening: string;
  readonly folder: string;
  readonly host: string;
  readonly openedAt: number;
}

/** The catalog that an archive was last opened for writing with, and from where: noted beside the records, for messages. */
export interface LastWriter {
  /** A path, or the URL of a database without who logs in. */
  readonly catalog: string;
  readonly folder: string;
  readonly host: string;
  readonly openedAt: number;
}

/** No vowels, so that no words arise, and nothing that is easily misread. */
const LETTERS = '23456789bcdfghjkmnpqrstvwxz';
const GROUPS = 3;
const GROUP = 4;

/** `random` gives integers in [0, below). 27^12 ids: about 57 bits. */
export function newArchiveId(random: (below: number) => number): string {
  const letter = (): string => LETTERS.charAt(random(LETTERS.length));
  const group = (): string => Array.from({ length: GROUP }, letter).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export function isArchiveId(text: unknown): text is string {
  return typeof text === 'string' && /^[2-9a-z]{4}(?:-[2-9a-z]{4}){2}$/.test(text);
}

/** How messages name an archive. */
export function archiveText({ id, name }: ArchiveIdentity): string {
  return `'${name}' (${id})`;
}
