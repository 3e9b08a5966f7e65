import type { FastifyReply } from 'fastify';
import { type CdxLine, type CdxRequest, cdxLines } from '../../access/cdx/cdx-lines.ts';
import { type Paging, pageCount } from '../../access/cdx/cdx-parameters.ts';
import { iaAnswer, iaQuestion, requestToRead } from '../../access/cdx/ia-dialect.ts';
import { pywbAnswer, pywbQuestion } from '../../access/cdx/pywb-dialect.ts';
import { type MementoBase, mementoLine } from '../../access/memento/memento-links.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import { RequestProblem } from '../api-error.ts';
import { streamedText } from './streamed-text.ts';

type IndexCatalog = Pick<CaptureCatalog, 'indexLines' | 'indexSize'>;

const TYPES = {
  cdxj: 'text/x-cdxj; charset=utf-8',
  json: 'application/x-ndjson; charset=utf-8',
  link: 'application/link-format; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

/** `/<collection>/cdx?url=…`: pywb's dialect. */
export async function answerPywb(
  reply: FastifyReply,
  catalog: IndexCatalog,
  parameters: URLSearchParams,
  base: MementoBase,
): Promise<FastifyReply> {
  const question = pywbQuestion(parameters);
  const { request, output, paging } = question;
  if (paging) {
    const pages = await pagesOf(catalog, request, paging);
    if (paging.isCount) return reply.send(pages);
  }
  reply.type(TYPES[output]);
  const lines = cdxLines(catalog, request);
  return reply.send(streamedText(output === 'link' ? linkLines(lines, base) : pywbAnswer(lines, question)));
}

/** `/cdx/search/cdx?url=…`: the Internet Archive's dialect. */
export async function answerIa(
  reply: FastifyReply,
  catalog: IndexCatalog,
  parameters: URLSearchParams,
): Promise<FastifyReply> {
  const question = iaQuestion(parameters);
  if (question.paging) {
    const { pages } = await pagesOf(catalog, question.request, question.paging);
    if (question.paging.isCount) return reply.type('text/plain; charset=utf-8').send(`${pages}\n`);
  }
  reply.type(question.output === 'json' ? 'application/json; charset=utf-8' : TYPES.text);
  return reply.send(streamedText(iaAnswer(cdxLines(catalog, requestToRead(question)), question)));
}

async function pagesOf(catalog: IndexCatalog, request: CdxRequest, paging: Paging) {
  const { keys, from, to } = request;
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const pages = pageCount(await catalog.indexSize({ keys, ...span }), paging);
  if (paging.page >= pages.pages)
    throw new RequestProblem(
      400,
      `page: there is no page ${paging.page}`,
      `pages 0 to ${pages.pages - 1} are there`,
    );
  return pages;
}

async function* linkLines(lines: ReturnType<typeof cdxLines>, base: MementoBase): AsyncIterable<string> {
  let before: CdxLine | undefined;
  for await (const line of lines) {
    const { fact, place } = line;
    const isSame = before?.place.surt === place.surt;
    yield `${before ? ',\n' : ''}${mementoLine(base, fact, isSame ? before?.fact.at : undefined)}`;
    before = line;
  }
  if (before) yield '\n';
}
