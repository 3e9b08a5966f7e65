import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect, event, exchange, temporaryArchive, testStore } from '../../test/warc-events.ts';
import { readRecords } from './read-records.ts';
import { verifyWarcs } from './verify/verify-archive.ts';

test('any exchanges => written and read back, the same bytes', async () => {
  const headerName = fc
    .stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/)
    .filter((name) => !/^transfer-encoding$/i.test(name));
  const value = fc.stringMatching(/^[!-~\u00a0-\u00ff]{1,20}$/);
  const anyExchange = fc.record({
    path: fc.webPath(),
    method: fc.constantFrom('GET', 'POST', 'HEAD'),
    requestBody: fc.string(),
    status: fc.integer({ min: 200, max: 599 }),
    headers: fc.array(fc.tuple(headerName, value), { maxLength: 6 }),
    body: fc.uint8Array({ maxLength: 20_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyExchange, { minLength: 1, maxLength: 4 }), async (examples) => {
      const here = await temporaryArchive();
      try {
        const store = await testStore(here.archive);
        const exchanges = examples.map((example) =>
          exchange({ ...example, url: `https://example.com/x${example.path}` }),
        );
        const facts = await store.append(await event(store, exchanges));
        await store.close();
        const read = await collect(readRecords(join(here.archive, 'warc', facts[0]?.file ?? '')));
        const blocks = read.slice(1).map(({ block }) => Buffer.from(block.bytes ?? []));
        const expected = exchanges.flatMap(({ request, response }) => [
          Buffer.concat([request.head, request.body.bytes ?? new Uint8Array()]),
          Buffer.concat([response.head, response.body.bytes ?? new Uint8Array()]),
        ]);
        expect(blocks).toEqual(expected);
        expect(read.filter(({ type }) => type === 'response').map(({ http }) => http?.status)).toEqual(
          examples.map(({ status }) => status),
        );
        expect((await verifyWarcs(here.archive)).errors).toEqual([]);
      } finally {
        await here.remove();
      }
    }),
    { numRuns: 40 },
  );
});
