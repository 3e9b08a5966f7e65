/** Which archive this is, wherever its folder lies: in the folder, in the catalog, in every `warcinfo`. */
export interface ArchiveIdentity {
  /** Random, never changed: `k7mq-2xrt-9hbd`. */
  readonly id: string;
  /** For people; may be changed in the folder's file. */
  readonly name: string;
}

/** Whom a catalog belongs to, and who opened it last for writing. */
export interface CatalogOwner extends ArchiveIdentity {
  /**
   * Random, new at each opening for writing, and noted in the folder too: a catalog that carries another one was
   * written by a copy of the folder, or is an old copy itself.
   */
  readonly opening: string;
  readonly folder: string;
  readonly host: string;
  readonly openedAt: number;
}

/** No vowels, so that no words come about, and nothing that is easily misread. */
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
