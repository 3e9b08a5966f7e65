/**
 * A module as the package ships it, from `dist` (`npm run build`), as the peers are: run from source, each closure
 * carries a name that tsx adds, which took two fifths of the time of comparing layouts.
 */
export async function shipped<T>(module: string): Promise<T> {
  return (await import(new URL(`../dist/${module}.js`, import.meta.url).href)) as T;
}
