import { expect, test } from 'vitest';
import { knownPerimeter } from './known-perimeter.ts';

test('a name that is not there => those of the archive are named too', async () => {
  const crawls = async () => [{ spec: { perimeter: { name: 'saltmarsh' } } }];
  const archive = { catalog: { crawls } } as unknown as Parameters<typeof knownPerimeter>[0];
  await expect(knownPerimeter(archive, { name: 'none' }, 0)).rejects.toThrow(
    /^no perimeter is named 'none'; there are: french-web, saltmarsh$/,
  );
});
