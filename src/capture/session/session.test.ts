import { describe, expect, it } from 'vitest';
import { memoryBody } from '../../model/body.ts';
import type { Exchange } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import { redactedFields } from '../../model/private-capture.ts';
import { parseSetCookie } from './cookie.ts';
import { CookieJar, cookieChanges } from './cookie-jar.ts';
import { openRedactor, redactedHead } from './redact.ts';
import { NO_STATE, Visitors } from './visitors.ts';

const at = (url: string, ...fields: string[]) => {
  const jar = new CookieJar();
  jar.apply(jar.asked(new URL(url), fields, 0));
  return (to: string, now = 0) => jar.headerFor(new URL(to), now);
};

describe('cookies, as RFC 6265 has them', () => {
  it.each([
    ['https://a.example.org/x/y', 'a=1', 'https://a.example.org/x/z', 'a=1'],
    ['https://a.example.org/x/y', 'a=1', 'https://a.example.org/z', undefined],
    ['https://a.example.org/', 'a=1', 'https://b.a.example.org/', undefined],
    ['https://a.example.org/', 'a=1; Domain=.Example.org', 'https://b.example.org/', 'a=1'],
    ['https://a.example.org/', 'a=1; Domain=other.org', 'https://other.org/', undefined],
    // Shared suffixes: nobody may set a cookie for all of them.
    ['https://a.co.uk/', 'a=1; Domain=co.uk', 'https://b.co.uk/', undefined],
    ['https://a.github.io/', 'a=1; Domain=github.io', 'https://b.github.io/', undefined],
    ['https://10.1.2.3/', 'a=1; Domain=2.3', 'https://10.1.2.3/', undefined],
    ['https://a.org/', 'a=1; Secure', 'http://a.org/', undefined],
    ['http://a.org/', 'a=1; Secure', 'https://a.org/', undefined],
    ['http://127.0.0.1/', 'a=1; Secure', 'http://127.0.0.1/', 'a=1'],
    ['https://a.org/', '__Host-a=1; Path=/', 'https://a.org/', undefined],
    ['https://a.org/', '__Host-a=1; Path=/; Secure', 'https://a.org/', '__Host-a=1'],
    ['https://a.org/', 'a=1; Max-Age=0', 'https://a.org/', undefined],
    ['https://a.org/', 'a=1; Path=/ab', 'https://a.org/abc', undefined],
    ['https://a.org/', 'a=\u0001', 'https://a.org/', undefined],
    ['https://a.org/', `a=${'x'.repeat(5000)}`, 'https://a.org/', undefined],
    ['https://a.org/', 'value alone', 'https://a.org/', 'value alone'],
  ])('%s sets %s => at %s: %s', (from, field, to, expected) => {
    expect(at(from, field)(to)).toBe(expected);
  });

  it('several => longer paths first, then the older; a new value keeps its place', () => {
    const header = at('https://a.org/x/', 'a=1; Path=/', 'b=1; Path=/', 'c=1', 'a=2; Path=/');
    expect(header('https://a.org/x/y')).toBe('c=1; a=2; b=1');
  });

  it('past its end => not sent; Expires in the old form is read', () => {
    const header = at('https://a.org/', 'a=1; Expires=Thu, 01-Jan-1970 00:01:40 GMT');
    expect([header('https://a.org/', 99_000), header('https://a.org/', 101_000)]).toEqual(['a=1', undefined]);
  });

  it('one page reads what another has set meanwhile => only what it changed itself goes back', () => {
    const cookie = (text: string) => parseSetCookie(text, new URL('https://a.org/'), 0) ?? [];
    const before = [cookie('a=1'), cookie('b=1')].flat();
    expect(cookieChanges(before, [cookie('a=2')].flat())).toEqual({
      set: [cookie('a=2')].flat(),
      removed: ['a.org;/;b'],
    });
  });
});

describe('redaction', () => {
  const names = new Set(['cookie', 'x-key']);
  const redacted = (text: string) => Buffer.from(redactedHead(Buffer.from(text), names)).toString();

  it.each([
    ['GET / HTTP/1.1\r\nCookie: a=1\r\nB: c\r\n\r\n', 'GET / HTTP/1.1\r\nCookie: [redacted]\r\nB: c\r\n\r\n'],
    [
      'GET / HTTP/1.1\nCOOKIE : a\n\tfolded secret\nB: c\n\n',
      'GET / HTTP/1.1\nCOOKIE : [redacted]\nB: c\n\n',
    ],
    ['GET /cookie:x HTTP/1.1\r\n\r\n', 'GET /cookie:x HTTP/1.1\r\n\r\n'],
    ['HTTP/1.1 200 OK\r\nX-Key:v', 'HTTP/1.1 200 OK\r\nX-Key: [redacted]'],
  ])('%j => %j', (head, expected) => {
    expect(redacted(head)).toBe(expected);
  });

  it('an exchange => fields named, body as it came; texts and faults without the secrets', () => {
    const message = (head: string, headers: [string, string][]) => ({
      headers,
      head: Buffer.from(head),
      body: memoryBody(Buffer.from('canary in the body')),
    });
    const exchange: Exchange = {
      url: 'https://a.org/',
      startedAt: 0,
      finishedAt: 0,
      request: {
        method: 'GET',
        ...message('GET / HTTP/1.1\r\nX-Key: canary-1\r\n\r\n', [['X-Key', 'canary-1']]),
      },
      response: {
        status: 200,
        framing: 'identity',
        ...message('HTTP/1.1 200 OK\r\nSet-Cookie: canary-2\r\n\r\n', [['Set-Cookie', 'canary-2']]),
      },
      road: 'http',
      protocols: [],
    };
    const redactor = openRedactor(['X-Key'], ['canary-1', 'canary-1-and-more', 'ab']);
    const stored = redactor.exchange(exchange);
    expect(redactedFields([stored.request.headers, stored.response.headers])).toEqual([
      'Set-Cookie',
      'X-Key',
    ]);
    const heads = [stored.request.head, stored.response.head].map((head) => Buffer.from(head).toString());
    expect(heads.join()).not.toContain('canary');
    expect(stored.response.body).toBe(exchange.response.body);
    expect(redactor.text('of canary-1-and-more, abc')).toBe('of [redacted], abc');
    const fault = redactor.fault(
      new CaptureFault('malformed-response', 'https://a.org/', 'begins "Set-Cookie: x"'),
    );
    expect(fault.message).not.toContain('Set-Cookie');
  });
});

describe('visitors', () => {
  const change = (name: string) => ({
    set: [parseSetCookie(`${name}=1; Path=/`, new URL('https://a.example/'), 0)].flatMap((one) => one ?? []),
    removed: [],
    storage: [],
  });
  const [one, other] = [new URL('https://www.a.example/1'), new URL('https://b.example/')];

  it('crawl => one for each site; committed is what stored visits changed', () => {
    const visitors = new Visitors({ mode: 'crawl', supplied: NO_STATE });
    visitors.change(visitors.of(one), one, change('x'));
    expect([visitors.of(new URL('https://a.example/2')).state(0), visitors.of(other).state(0)]).toMatchObject(
      [{ cookies: [{ name: 'x' }] }, NO_STATE],
    );
    expect(visitors.committed(0).get('a.example')).toBeUndefined();
    expect([visitors.settle(one.href), visitors.settle(one.href)]).toEqual([true, false]);
    expect(visitors.committed(0).get('a.example')).toMatchObject({ cookies: [{ name: 'x' }] });
  });

  it('page => a new one each time, with what was supplied', () => {
    const visitors = new Visitors({ mode: 'page', supplied: { cookies: change('given').set, storage: [] } });
    visitors.change(visitors.of(one), one, change('x'));
    expect(
      visitors
        .of(one)
        .state(0)
        .cookies.map(({ name }) => name),
    ).toEqual(['given']);
  });
});
