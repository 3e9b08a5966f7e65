import type { ChangeOperation } from '../../model/change.ts';

/** What a reader sees; for a picture without a name, its file name. */
export function wordsOf({ op, element, old, new: now, oldAddress, newAddress }: ChangeOperation): string {
  const [text, address] = op === 'delete' ? [old, oldAddress] : [now, newAddress];
  const said = (text ?? '').trim();
  if (said !== '') return said;
  return element === 'text' || element === 'block' ? '' : fileOf(address);
}

/** The last part of an address; '' for pictures without an address of their own. */
function fileOf(address = ''): string {
  if (/^(?:data|svg):/.test(address)) return '';
  return (
    address
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? ''
  );
}

/** Two pictures with the same name are told apart by their files; if those have the same name too, no old side is shown. */
export function pictureSides(
  { old, oldAddress }: Pick<ChangeOperation, 'old' | 'oldAddress'>,
  { new: now, newAddress }: Pick<ChangeOperation, 'new' | 'newAddress'>,
): { readonly text: string; readonly before?: string } {
  const [was, is] = [(old ?? '').trim(), (now ?? '').trim()];
  const files = [fileOf(oldAddress), fileOf(newAddress)] as const;
  const [before, text] =
    was !== is ? [was || files[0], is || files[1]] : [named(was, files[0]), named(is, files[1])];
  if (before === text) return { text: is || files[1] };
  return before === '' ? { text } : { text, before };
}

const named = (name: string, file: string): string =>
  name === '' || file === '' ? name || file : `${name} (${file})`;
