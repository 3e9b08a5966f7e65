import { z } from 'zod';
import { VERSION } from '../../archive/version.ts';
import { docsRoute } from './docs-page.ts';
import { openApi } from './openapi.ts';
import { answer, NO_INPUT, type Route } from './route.ts';
import { ROUTES } from './routes.ts';

/** The API about itself. */
export const DESCRIPTION: readonly Route[] = [
  answer({
    method: 'GET',
    path: '/openapi.json',
    role: 'reader',
    summary: 'This API in OpenAPI 3.1',
    input: NO_INPUT,
    name: 'OpenApi',
    answer: z.looseObject({ openapi: z.string() }),
    run: async () => (described ??= openApi([...ROUTES, ...DESCRIPTION], VERSION) as { openapi: string }),
  }),
  docsRoute(() => [...ROUTES, ...DESCRIPTION]),
];

let described: { openapi: string } | undefined;
