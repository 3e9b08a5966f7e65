import { describe, expect, it } from 'vitest';
import { DOCUMENT_SIZE, documentWithParts } from './page-parts.ts';

const A = 'http://x.org/a.css';
const B = 'http://x.org/b.png';
const LIST = `${JSON.stringify({ parts: [A, B] })}\n`;
const PARTS = `${JSON.stringify({ url: A, size: 4, headers: [['content-type', 'text/css']] })}\na {}${JSON.stringify({ url: B })}\n`;

/** An answer of the server whose body comes in pieces of so many bytes. */
function answer(text: string, piece: number, document = 'page'): Response {
  const bytes = new TextEncoder().encode(document + text);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += piece) controller.enqueue(bytes.slice(at, at + piece));
      controller.close();
    },
  });
  const headers = { [DOCUMENT_SIZE]: '4', 'x-content-type-options': 'nosniff', 'x-other': '1' };
  return new Response(body, { headers });
}

describe('parts behind a document', () => {
  it.each([1, 7, 1000])(
    'in pieces of %i bytes => document and parts, each with our own fields',
    async (piece) => {
      const whole = await documentWithParts(answer(LIST + PARTS, piece));
      expect(new TextDecoder().decode(whole?.document)).toBe('page');
      const part = await whole?.parts.take(A);
      expect(await part?.text()).toBe('a {}');
      expect(Object.fromEntries(part?.headers ?? [])).toEqual({
        'content-type': 'text/css',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('asked for again, listed without bytes, or not listed => undefined', async () => {
    const parts = (await documentWithParts(answer(LIST + PARTS, 9)))?.parts;
    await parts?.take(A);
    expect([await parts?.take(A), await parts?.take(B), await parts?.take('http://x.org/c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('an answer that ends early, before or behind the list => undefined, and nobody waits', async () => {
    for (const text of ['', LIST.slice(0, 9), LIST, (LIST + PARTS).slice(0, -40)]) {
      const parts = (await documentWithParts(answer(text, 5)))?.parts;
      expect(await parts?.take(B)).toBeUndefined();
    }
  });

  it('an answer without parts => undefined, and its body is left alone', async () => {
    const plain = new Response('page');
    expect(await documentWithParts(plain)).toBeUndefined();
    expect(await plain.text()).toBe('page');
  });

  it('nine pages => the parts of the first are let go', async () => {
    const pages = await Promise.all(
      Array.from({ length: 9 }, () => documentWithParts(answer(LIST + PARTS, 1000))),
    );
    expect(await pages[0]?.parts.take(A)).toBeUndefined();
    expect(await (await pages[8]?.parts.take(A))?.text()).toBe('a {}');
  });
});
