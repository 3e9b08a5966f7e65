import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryBody } from '../../model/body.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { KeptAnswer, PageViewer, View, ViewRequest } from '../../ports/page-viewer.ts';
import { folderAnswers, givenHtml } from './local-answers.ts';
import { openPageViewer } from './page-viewer.ts';

let viewer: PageViewer;
beforeAll(async () => {
  viewer = await openPageViewer();
});
afterAll(() => viewer.close());

const URL_OF_PAGE = 'http://page.test/page.html';

function view(answer: ViewRequest['answer'], more: Partial<ViewRequest> = {}): Promise<View> {
  return viewer.view({ url: URL_OF_PAGE, answer, scripts: false, timeLimit: 30_000, ...more });
}

function texts({ snapshot }: View): string[] {
  if (snapshot.kind === 'none') return [`none: ${snapshot.reason}`];
  return unpackSnapshot(snapshot.packed).nodes.flatMap((node) => (node.kind === 'text' ? [node.text] : []));
}

function answer(body: string | Buffer, headers: KeptAnswer['headers'], status = 200): KeptAnswer {
  return { status, headers, body: memoryBody(Buffer.from(body)), framing: 'identity' };
}

const HTML = [['content-type', 'text/html']] as const;

test('given HTML with every kind of reference to a live server => the server is asked nothing', async () => {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const live = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const references = (
    host: string,
  ) => `<link rel="stylesheet" href="http://${host}/css"><link rel="preconnect" href="http://${host}">
    <link rel="dns-prefetch" href="//${host}"><link rel="prefetch" href="http://${host}/prefetch"><img src="http://${host}/img">
    <iframe src="http://${host}/frame"></iframe><object data="http://${host}/object"></object><script src="http://${host}/js"></script>
    <video src="http://${host}/video"></video><div style="background:url(http://${host}/bg);width:9px;height:9px"></div>
    <script>fetch('http://${host}/fetch').catch(() => {}); new WebSocket('ws://${host}/ws'); new EventSource('http://${host}/events');
      navigator.sendBeacon('http://${host}/beacon'); new Worker(URL.createObjectURL(new Blob(["fetch('http://${host}/worker')"])));
      window.open('http://${host}/window'); document.body.append('scripts ran');
      new RTCPeerConnection({ iceServers: [{ urls: 'stun:${host}' }] }).createDataChannel('x');</script>`;
  const html = `<body>shown ${references(live)}${references(`localhost:${live.split(':')[1]}`)}`;
  try {
    for (const scripts of [false, true]) {
      const seen = await view(givenHtml(URL_OF_PAGE, html), { scripts });
      expect(texts(seen).includes('scripts ran')).toBe(scripts);
      expect(seen.missing).toContain(`http://${live}/img`);
    }
    expect(asked).toEqual([]);
    expect(connections).toBe(0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('a stored capture', () => {
  test('a record whose body cannot be read => missing, with the reason; the page need not wait for it', async () => {
    const damaged: KeptAnswer = {
      ...answer('', [['content-type', 'image/png']]),
      body: {
        size: 10,
        bytes: undefined,
        // biome-ignore lint/correctness/useYield: it breaks before its first byte.
        async *chunks() {
          throw new Error('no whole record at 1234');
        },
        release: async () => {},
      },
    };
    const seen = await view(async (url) =>
      url === URL_OF_PAGE ? answer('<p>Shown</p><img src=damaged.png>', HTML) : damaged,
    );
    expect(texts(seen)).toEqual(['Shown']);
    expect(seen.missing).toEqual(['http://page.test/damaged.png']);
    expect(seen.facts).toContain(
      'could not be given to the page (Error: no whole record at 1234): http://page.test/damaged.png',
    );
  });

  test('a document whose coding is damaged => shown as far as it goes, and said', async () => {
    const whole = gzipSync(`<p>Begin</p>${'<!-- filler -->'.repeat(4000)}<p>End</p>`, { level: 0 });
    const seen = await view(async () =>
      answer(whole.subarray(0, 40_000), [...HTML, ['content-encoding', 'gzip']]),
    );
    expect(texts(seen)).toEqual(['Begin']);
    expect(seen.facts).toEqual([
      expect.stringMatching(
        /^only the first \d+ bytes were given to the browser: http:\/\/page\.test\/page\.html$/,
      ),
    ]);
  });

  test('document, style sheet and picture out of the lookup; coded bodies and redirects as kept', async () => {
    const kept: Record<string, KeptAnswer> = {
      [URL_OF_PAGE]: answer('', [['location', '/moved.html']], 301),
      'http://page.test/moved.html': answer(
        gzipSync('<link rel=stylesheet href=style.css><p>Moved</p><p class=gone>Gone</p><img src=a.svg>'),
        [...HTML, ['content-encoding', 'gzip']],
      ),
      'http://page.test/style.css': answer('.gone { display: none }', [['content-type', 'text/css']]),
      'http://page.test/a.svg': answer('<svg xmlns="http://www.w3.org/2000/svg" width="70" height="30"/>', [
        ['content-type', 'image/svg+xml'],
      ]),
    };
    const seen = await view(async (url) => kept[url]);
    expect(seen.finalUrl).toBe('http://page.test/moved.html');
    expect(texts(seen)).toEqual(['Moved']);
    if (seen.snapshot.kind === 'none') throw new Error(seen.snapshot.reason);
    const picture = unpackSnapshot(seen.snapshot.packed).nodes.find(
      (node) => node.kind === 'element' && node.tag === 'img',
    );
    expect(picture?.box.slice(2)).toEqual([70, 30]);
    expect(seen.missing).toEqual([]);
  });

  test('what is not kept => 404 and a fact each; a lookup that fails too', async () => {
    const seen = await view(async (url) => {
      if (url === URL_OF_PAGE) return answer('<p>Page</p><img src="/gone.png"><img src="/bad.png">', HTML);
      if (url.endsWith('bad.png')) throw new Error('record damaged');
      return undefined;
    });
    expect(texts(seen)).toEqual(['Page']);
    expect([...seen.missing].sort()).toEqual(['http://page.test/bad.png', 'http://page.test/gone.png']);
    expect(seen.facts).toContain('not kept: http://page.test/gone.png');
    expect(seen.facts).toContain('could not be read (Error: record damaged): http://page.test/bad.png');
  });

  test('not even the document => none', async () => {
    const seen = await view(async () => undefined);
    expect(seen.snapshot).toEqual({ kind: 'none', reason: 'nothing-shown' });
    expect(seen.missing).toEqual([URL_OF_PAGE]);
  });

  test('a refresh to what is not kept => the page stays; to what is kept => it goes there', async () => {
    const html = '<meta http-equiv="refresh" content="0; url=/next.html"><p>First</p>';
    expect(texts(await view(givenHtml(URL_OF_PAGE, html)))).toEqual(['First']);
    const both = async (url: string) =>
      url.endsWith('/next.html') ? answer('<p>Next</p>', HTML) : givenHtml(URL_OF_PAGE, html)(url);
    expect(texts(await view(both))).toEqual(['Next']);
  });
});

test('scripts: false => none runs, in frames neither, and <noscript> stays hidden', async () => {
  const script =
    '<p>HTML</p><script>document.body.append("script")</script><img src=x onerror="document.body.append(1)">';
  const all: Record<string, string> = {
    [URL_OF_PAGE]: `${script}<noscript>noscript</noscript><iframe src="/frame.html"></iframe>`,
    'http://page.test/frame.html': script,
  };
  const give = async (url: string) => (all[url] === undefined ? undefined : answer(all[url], HTML));
  expect(texts(await view(give))).toEqual(['HTML', 'HTML']);
  expect(texts(await view(give, { scripts: true }))).toContain('script');
});

test('wholePage => a picture as tall as the page', async () => {
  const html = '<body style="margin:0"><div style="height:2345px;background:red"></div>';
  const { fullView } = await view(givenHtml(URL_OF_PAGE, html), { wholePage: 'png' });
  expect(fullView?.contentType).toBe('image/png');
  const png = Buffer.from(fullView?.bytes ?? []);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 2345]);
});

test('a local file => with the files beside it, and none above its folder', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'daguerre-'));
  try {
    await mkdir(path.join(folder, 'site/css'), { recursive: true });
    await writeFile(path.join(folder, 'secret.html'), 'secret');
    await writeFile(path.join(folder, 'site/css/a b.css'), '.no { display: none }');
    await writeFile(
      path.join(folder, 'site/page.html'),
      '<meta charset=utf-8><link rel=stylesheet href="css/a%20b.css?v=1"><p>é</p><p class=no>no</p><iframe src="..%2Fsecret.html">',
    );
    const answers = folderAnswers(path.join(folder, 'site'), 'http://file.test/');
    const seen = await view(answers, { url: 'http://file.test/page.html' });
    expect(texts(seen)).toEqual(['é']);
    expect(seen.missing).toEqual(['http://file.test/..%2Fsecret.html']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
