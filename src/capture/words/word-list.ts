/**
 * A dictionary as the sorted 32-bit hashes of its words: 4 bytes per word, looked up by binary search. One in ten thousand
 * strings that are not words passes for one; a list of the words themselves would take ten times the space.
 */
export interface WordList {
  readonly size: number;
  has(word: string): boolean;
}

export function compileWords(words: Iterable<string>): Uint32Array {
  const hashes = new Set<number>();
  for (const word of words) hashes.add(hashOf(word));
  return Uint32Array.from(hashes).sort();
}

export function wordList(hashes: Uint32Array): WordList {
  return {
    size: hashes.length,
    has(word) {
      const wanted = hashOf(word);
      let [low, high] = [0, hashes.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((hashes[middle] as number) < wanted) low = middle + 1;
        else high = middle;
      }
      return hashes[low] === wanted;
    },
  };
}

export const writeWords = (hashes: Uint32Array): Uint8Array =>
  new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);

/** Little-endian, like every platform Node runs on. */
export function readWords(bytes: Uint8Array): Uint32Array {
  if (bytes.length % 4 !== 0) throw new RangeError(`a list of words has no ${bytes.length} bytes`);
  return new Uint32Array(new Uint8Array(bytes).buffer);
}

/** FNV-1a over UTF-16 units, then mixed, so that similar words get distant hashes. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
