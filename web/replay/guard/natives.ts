/**
 * Functions of this realm as they were before any archived script ran, which may replace what we call later. Nothing in
 * the guard calls a method of a foreign value by its name.
 */

// biome-ignore lint/suspicious/noExplicitAny: the guard handles the properties of foreign realms.
export type Any = any;

export const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;

/** `f.call`, safe from being overwritten. */
export const uncurried =
  (f: Any): Any =>
  (self: Any, ...args: Any[]) =>
    apply(f, self, args);

export const has = uncurried(WeakSet.prototype.has);
export const add = uncurried(WeakSet.prototype.add);
export const lower = uncurried(String.prototype.toLowerCase);
export const replace = uncurried(String.prototype.replace);
export const split = uncurried(String.prototype.split);
export const startsWith = uncurried(String.prototype.startsWith);
export const filter = uncurried(Array.prototype.filter);
export const join = uncurried(Array.prototype.join);
export const test = uncurried(RegExp.prototype.test);
export const text = String;

export const getter = (owner: Any, name: string): Any =>
  uncurried(getOwnPropertyDescriptor(owner, name)?.get);

export type Around = (native: Any, self: Any, args: Any[]) => Any;

/** Puts ours around a method or a setter, where the owner has it. */
export function wrap(owner: Any, name: string, around: Around): void {
  const found = owner && getOwnPropertyDescriptor(owner, name);
  if (!found) return;
  const { value, get, set } = found as Any;
  if (typeof value === 'function') {
    const wrapped = {
      [name](this: Any, ...args: Any[]) {
        return around(uncurried(value), this, args);
      },
    }[name];
    defineProperty(owner, name, { ...found, value: wrapped });
  } else if (set) {
    const wrapped = {
      set [name](to: Any) {
        around(uncurried(set), this, [to]);
      },
    };
    const setter = getOwnPropertyDescriptor(wrapped, name)?.set as Any;
    const enumerable = found.enumerable ?? true;
    defineProperty(owner, name, { configurable: true, enumerable, get, set: setter } as Any);
  }
}
