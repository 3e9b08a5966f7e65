import { z } from 'zod';
import { listOf, millis, share } from './field-kinds.ts';

/** As `daguerre report --json` prints it: docs/json.md names all of it. */
export const REPORT = z.looseObject({
  site: z.string(),
  crawl: z.looseObject({ id: z.int(), key: z.string(), state: z.string(), startedAt: millis }),
  certificate: z.looseObject({ recordId: z.string(), at: millis }).nullable(),
  observation: z.looseObject({ start: millis, end: millis, blur: z.number() }).nullable(),
  coverage: z.looseObject({
    captured: z.int(),
    unchanged: z.int(),
    proven: z.int(),
    share: share.nullable(),
  }),
  errors: z.looseObject({
    urls: listOf(z.object({ url: z.string(), kind: z.string(), detail: z.string() })),
  }),
  storage: z.object({ captures: z.int(), bytes: z.number(), revisits: z.int(), saved: z.number() }),
  completeness: z
    .object({ estimate: share, archived: z.number(), believed: z.number() })
    .nullable()
    .describe('versions archived of those that are believed to have appeared'),
  weightedCompleteness: z.looseObject({}).nullable().describe('with intervals'),
});
export type ReportAnswer = Readonly<z.infer<typeof REPORT>>;

export const CERTIFICATE = z.object({
  recordId: z.string(),
  at: millis,
  file: z.string(),
  crawlKey: z.string(),
  seeds: listOf(z.string()),
  startedAt: millis,
  finishedAt: millis,
  pages: z.int(),
  revisited: z.int(),
  strict: z.int().describe('pages with the same payload at visit and revisit'),
  visible: z.int().describe('pages of which nothing changed that a reader sees'),
  blur: z.number(),
  provenAt: millis.nullable().describe('t*: the moment across which the most pages are proven'),
  proven: z.int().nullable(),
  sites: listOf(z.object({ site: z.string(), pages: z.int(), proven: z.int() })).describe(
    'each site of the crawl: its pages, and those of them that are proven at t*',
  ),
  publicKey: z.string(),
});
export type CertificateRow = Readonly<z.infer<typeof CERTIFICATE>>;

export const SIGNED_CERTIFICATE = z.looseObject({
  algorithm: z.string(),
  publicKey: z.string(),
  signature: z.string(),
  statement: z.looseObject({}).describe('schemas/certificate.schema.json'),
});
