import fastify from 'fastify';
import { expect, test } from 'vitest';
import { allowedMethods } from './allowed-methods.ts';

test('routes => the methods of an address, none where nothing is', async () => {
  const app = fastify();
  const allowed = allowedMethods(app);
  app.get('/api/crawls', async () => '');
  app.register(
    async (api) => {
      api.post('/crawls', async () => '');
      api.post('/crawls/:id/resume', async () => '');
      api.get('/a.b', async () => '');
    },
    { prefix: '/api' },
  );
  await app.ready();
  expect(allowed('/api/crawls?limit=1')).toEqual(['GET', 'HEAD', 'POST']);
  expect(allowed('/api/crawls/7/resume')).toEqual(['POST']);
  expect(allowed('/api/crawls/7')).toEqual([]);
  expect(allowed('/api/axb')).toEqual([]);
});
