import { z } from 'zod';
import { html, type SafeHtml } from '../../access/safe-html.ts';
import { type Route, raw } from './route.ts';
import { send } from './send.ts';

/** The API for people: one page without scripts, from the table of routes. */
export const docsRoute = (routes: () => readonly Route[]): Route =>
  raw({
    method: 'GET',
    path: '/docs',
    role: 'reader',
    summary: 'This page',
    input: z.object({}),
    type: 'text/html',
    send: async (_, context) => send(context, { type: 'text/html', body: page(routes()).markup }),
  });

function page(routes: readonly Route[]): SafeHtml {
  return html`<!doctype html><html lang="en"><title>The API of Daguerre</title>
<h1>The API of Daguerre</h1>
<p>For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>. Lists take <code>limit</code>, <code>cursor</code> and <code>fields</code>, and come
as JSON, <code>text/csv</code> or <code>application/x-ndjson</code>.</p>
${routes.map(section)}</html>`;
}

function section({ method, path, summary, description = '', role, input }: Route): SafeHtml {
  const parameters = Object.entries(input.shape) as [string, z.ZodType][];
  return html`<h2><code>${method} /api${path}</code></h2><p>${summary}. ${description}</p>
${role === 'reader' ? [] : [html`<p>Needs the role ${role}.</p>`]}
${parameters.length === 0 ? [] : [html`<dl>${parameters.map(([name, schema]) => parameter(name, schema))}</dl>`]}`;
}

const parameter = (name: string, schema: z.ZodType): SafeHtml =>
  html`<dt><code>${name}</code></dt><dd>${schema.description ?? ''}${schema.isOptional() ? '' : ' (required)'}</dd>`;
