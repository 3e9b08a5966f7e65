/** Rendered bodies of the most recently requested versions, up to a number of bytes. */
export interface BodyCache<T> {
  get(key: string, make: () => { value: T; size: number }): T;
}

export function bodyCache<T>(limit: number): BodyCache<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let total = 0;
  return {
    get: (key, make) => {
      const found = entries.get(key);
      if (found) {
        // A Map keeps insertion order: the first entry is the least recently used.
        entries.delete(key);
        entries.set(key, found);
        return found.value;
      }
      const made = make();
      entries.set(key, made);
      total += made.size;
      for (const [old, { size }] of entries) {
        if (total <= limit || old === key) break;
        entries.delete(old);
        total -= size;
      }
      return made.value;
    },
  };
}
