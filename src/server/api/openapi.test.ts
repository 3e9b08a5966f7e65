import { describe, expect, it } from 'vitest';
import { openApi } from './openapi.ts';
import { ROUTES } from './routes.ts';

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean };
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, { readonly get: { operationId: string; parameters: Parameter[] } }>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

describe('OpenAPI', () => {
  const document = openApi(ROUTES, '1') as unknown as Document;
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

  it('the table of routes => a path each, operations with names of their own, every reference resolved', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations).toHaveLength(ROUTES.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length);
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref as string);
    expect(refs.length).toBeGreaterThan(20);
    for (const ref of refs) {
      const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec(ref) ?? [];
      expect(Object.keys(document.components.schemas), ref).toContain(name);
    }
  });

  it('/crawls/:id => {id} in the path; /deltas => url, from and to required; /pages => limit, cursor, fields', () => {
    const parameters = (path: string) => document.paths[path]?.get?.parameters ?? [];
    expect(parameters('/api/crawls/{id}')).toMatchObject([{ name: 'id', in: 'path', required: true }]);
    expect(parameters('/api/deltas').map(({ name, required }) => [name, required])).toEqual([
      ['url', true],
      ['from', true],
      ['to', true],
    ]);
    const names = parameters('/api/pages').map(({ name, required }) => [name, required]);
    expect(names).toEqual(['url', 'site', 'q', 'limit', 'cursor', 'fields'].map((name) => [name, false]));
  });
});
