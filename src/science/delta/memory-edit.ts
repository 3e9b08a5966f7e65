import type { MemoryEdit } from '../../model/delta.ts';

/** Characters compared at a time. */
const PIECE = 256;

/** What a layout remembers for its successor is long and changes little: only the middle that differs is recorded. */
export function memoryEdit(old: string | undefined, now: string | undefined): MemoryEdit | undefined {
  if (old === now) return undefined;
  if (old === undefined || now === undefined)
    return { at: 0, ...(old !== undefined && { old }), ...(now !== undefined && { new: now }) };
  const shorter = Math.min(old.length, now.length);
  let at = 0;
  // Whole pieces first: most of it is the same.
  while (at + PIECE <= shorter && now.startsWith(old.slice(at, at + PIECE), at)) at += PIECE;
  while (at < shorter && old.charCodeAt(at) === now.charCodeAt(at)) at++;
  let end = 0;
  const piece = (): string => old.slice(old.length - end - PIECE, old.length - end);
  while (end + PIECE <= shorter - at && now.endsWith(piece(), now.length - end)) end += PIECE;
  while (end < shorter - at && old.charCodeAt(old.length - 1 - end) === now.charCodeAt(now.length - 1 - end))
    end++;
  return { at, old: old.slice(at, old.length - end), new: now.slice(at, now.length - end) };
}

export const inverseEdit = ({ at, old, new: now }: MemoryEdit): MemoryEdit => ({
  at,
  ...(now !== undefined && { old: now }),
  ...(old !== undefined && { new: old }),
});

export type EditedMemory =
  | { readonly kind: 'fits'; readonly memory: string | undefined }
  | { readonly kind: 'mismatch' };

export function editedMemory(memory: string | undefined, edit: MemoryEdit | undefined): EditedMemory {
  if (!edit) return { kind: 'fits', memory };
  const { at, old, new: now } = edit;
  if ((memory === undefined) !== (old === undefined)) return { kind: 'mismatch' };
  if (memory === undefined || old === undefined) return { kind: 'fits', memory: now };
  if (!memory.startsWith(old, at)) return { kind: 'mismatch' };
  if (now === undefined) return { kind: 'fits', memory: undefined };
  return { kind: 'fits', memory: memory.slice(0, at) + now + memory.slice(at + old.length) };
}
