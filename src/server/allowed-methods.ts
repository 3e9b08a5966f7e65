import type { FastifyInstance } from 'fastify';

/**
 * Which methods an address knows, by the routes of a server; none where nothing is there. fastify answers a wrong method as it
 * does an unknown address. To be called before routes are registered.
 */
export function allowedMethods(app: FastifyInstance): (url: string) => readonly string[] {
  const routes: { readonly form: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ form: formOf(url), methods: [method].flat() });
  });
  return (url) => {
    const [path = ''] = url.split('?', 1);
    const there = routes.filter(({ form }) => form.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(there)].sort();
  };
}

/** `/pages/:id/*` => what it matches. */
function formOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}
