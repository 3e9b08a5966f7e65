import { evaluateXPath, parseScript, registerCustomXPathFunction } from 'fontoxpath';
import { Document, type Node, parseXmlDocument, serializeToWellFormedString } from 'slimdom';

/** XQuery 3.1 over Vi-Delta and Vi-XML documents. */

/** The query is at fault; the message shows where. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}

/** One item of a result: as text, and as what JSON can hold. */
export interface QueryItem {
  readonly text: string;
  readonly value: unknown;
}

export interface Query {
  /** Whether it calls `collection()`: then it is asked once, about all documents. */
  readonly wantsAll: boolean;
  /** About one document: the context item; `$url` and `$time` say which it is. */
  ask(xml: string, about: { readonly url: string; readonly time: string }): readonly QueryItem[];
  /** About all of them. */
  askAll(documents: readonly string[]): readonly QueryItem[];
}

const LANGUAGE = { language: evaluateXPath.XQUERY_3_1_LANGUAGE } as const;
const FUNCTIONS = 'http://www.w3.org/2005/xpath-functions';

let isRegistered = false;

/** The engine has no `fn:collection`: what it stands for is the caller's to say. */
function registerCollection(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerCustomXPathFunction(
    { namespaceURI: FUNCTIONS, localName: 'collection' },
    [],
    'node()*',
    (context) => (context.currentContext as { documents?: unknown[] } | null)?.documents ?? [],
  );
}

/** Throws QueryError when it cannot be read. */
export function openQuery(source: string): Query {
  registerCollection();
  try {
    parseScript(source, LANGUAGE, new Document() as never);
  } catch (error) {
    throw explained(source, error);
  }
  const run = (context: Node | null, documents: readonly Document[], variables: Record<string, unknown>) => {
    const options = { ...LANGUAGE, nodesFactory: new Document() as never, currentContext: { documents } };
    const evaluate = (debug: boolean): unknown[] =>
      evaluateXPath(source, context, null, variables, evaluateXPath.ALL_RESULTS_TYPE, { ...options, debug });
    try {
      return evaluate(false).map(itemOf);
    } catch {
      // Once more, to learn where: keeping track costs time, and most queries do not fail.
      try {
        return evaluate(true).map(itemOf);
      } catch (error) {
        throw explained(source, error);
      }
    }
  };
  return {
    wantsAll: /\bcollection\s*\(/u.test(source),
    ask: (xml, about) => {
      const document = parseXmlDocument(xml);
      return run(document, [document], { ...about });
    },
    askAll: (documents) =>
      run(
        null,
        documents.map((xml) => parseXmlDocument(xml)),
        {},
      ),
  };
}

function itemOf(result: unknown): QueryItem {
  if (isNode(result)) {
    const isAttribute = result.nodeType === 2;
    const text = isAttribute ? (result as { value?: string }).value : serializeToWellFormedString(result);
    return { text: text ?? '', value: text ?? '' };
  }
  if (typeof result === 'string') return { text: result, value: result };
  if (typeof result === 'number' || typeof result === 'boolean')
    return { text: String(result), value: result };
  if (result instanceof Date) return { text: result.toISOString(), value: result.toISOString() };
  if (Array.isArray(result) || Object.getPrototypeOf(result) === Object.prototype) {
    const value = JSON.parse(
      JSON.stringify(result, (_, part: unknown) => (isNode(part) ? itemOf(part).value : part)),
    );
    return { text: JSON.stringify(value), value };
  }
  return { text: String(result), value: String(result) };
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'nodeType' in value;

/** `XPST0003 at line 2, column 3: …`, with the line and a mark under the place. */
function explained(source: string, error: unknown): QueryError {
  const raw = error instanceof Error ? error.message : String(error);
  const said = /(?:Error: )?([A-Z]{4}\d{4})[:,]?\s*([^\n]*)/u.exec(raw);
  const code = said?.[1];
  const reason = (said?.[2] ?? raw)
    .replace(/^Failed to parse script\.\s*/u, '')
    .replaceAll(`Q{${FUNCTIONS}}`, '');
  const place = placeOf(raw);
  const name = code === undefined ? 'the query fails' : `the query fails (${code})`;
  if (!place) return new QueryError(`${name}: ${reason}`, { cause: error });
  const line = source.split('\n')[place.line - 1] ?? '';
  const mark = `${' '.repeat(Math.max(0, place.column - 1))}^`;
  return new QueryError(
    `${name} at line ${place.line}, column ${place.column}: ${reason}\n  ${line}\n  ${mark}`,
    {
      cause: error,
    },
  );
}

/** The innermost expression stands first. */
function placeOf(raw: string): { readonly line: number; readonly column: number } | undefined {
  const told = /\bat <[^>]*>:(\d+):(\d+)/u.exec(raw);
  return told ? { line: Number(told[1]), column: Number(told[2]) } : undefined;
}
