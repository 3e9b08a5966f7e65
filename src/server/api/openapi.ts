import { z } from 'zod';
import { FORMATS } from './formats.ts';
import { PART } from './parameters.ts';
import type { Route } from './route.ts';
import { COMPARISON } from './schemas/comparison.ts';
import { BLOCK } from './schemas/layouts.ts';
import { PROBLEM } from './schemas/problem.ts';

type Json = Record<string, unknown>;

/** Schemas that answers share, or that hold themselves. */
const PARTS: Record<string, z.ZodType> = { Problem: PROBLEM, Comparison: COMPARISON, Block: BLOCK };

const REFS = '#/components/schemas/';

/** OpenAPI 3.1, from the table of routes alone. */
export function openApi(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Daguerre',
      version,
      description: 'Times are milliseconds since 1970, UTC. Fields may be added, never renamed.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    paths,
    components: { schemas: schemasOf(routes) },
  };
}

function schemasOf(routes: readonly Route[]): Json {
  const named = z.registry<{ id: string }>();
  const known = new Set<z.ZodType>(Object.values(PARTS));
  for (const [id, schema] of Object.entries(PARTS)) named.add(schema, { id });
  for (const route of routes) {
    const schema = route.kind === 'list' ? route.row : route.kind === 'answer' ? route.answer : undefined;
    if (!schema || known.has(schema)) continue;
    known.add(schema);
    named.add(schema, { id: (route as { readonly name: string }).name });
  }
  const { schemas } = z.toJSONSchema(named, { io: 'output', unrepresentable: 'any', uri: (id) => REFS + id });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, bare(schema)]));
}

/** What a schema by itself says of itself, and a part of a document need not. */
function bare({ $schema: _, $id: __, id: ___, ...schema }: Json): Json {
  return schema;
}

function operation(route: Route): Json {
  const { summary, description, path, role } = route;
  const [, tag = ''] = path.split('/');
  return {
    operationId: `${route.method.toLowerCase()}${path.replace(/[/:-](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    description: [description, role === 'reader' ? undefined : `Needs the role ${role}.`]
      .filter(Boolean)
      .join(' '),
    parameters: parametersOf(route),
    ...(route.kind === 'answer' &&
      route.body && {
        requestBody: { required: true, content: { 'application/json': { schema: inputSchema(route.body) } } },
      }),
    responses: {
      200: { description: 'the answer', content: contentOf(route) },
      default: {
        description: 'what went wrong: RFC 9457',
        content: { 'application/problem+json': { schema: { $ref: `${REFS}Problem` } } },
      },
    },
  };
}

const inputSchema = (schema: z.ZodType): Json =>
  bare(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json);

function parametersOf(route: Route): readonly Json[] {
  const all = route.kind === 'list' ? route.input.extend(PART.shape) : route.input;
  const { properties = {}, required = [] } = inputSchema(all) as { properties?: Json; required?: string[] };
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => {
    const isInPath = route.path.includes(`:${name}`);
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
    };
  });
}

function contentOf(route: Route): Json {
  if (route.kind === 'raw') return { [route.type]: {} };
  const ref = { $ref: REFS + route.name };
  if (route.kind === 'answer') return { 'application/json': { schema: ref } };
  const part = {
    type: 'object',
    required: ['rows'],
    properties: {
      rows: { type: 'array', items: ref },
      next: { type: 'string', description: 'the cursor of the next part; absent at the end' },
    },
  };
  const [json, ...others] = FORMATS;
  return { [json]: { schema: part }, ...Object.fromEntries(others.map((type) => [type, {}])) };
}
