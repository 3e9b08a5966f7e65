/**
 * A page that tries to reach `canary.test` in every way we know that leaves the page where it is (the others:
 * leading-pages.ts). Each way has a name below that domain, so that the look-up alone gives it away; WebRTC goes to the
 * address itself.
 */
export const CANARY_ADDRESS = '203.0.113.5';
export const CANARY_PORT = 3478;
export const DOMAIN = 'canary.test';

/** Ways of one realm; `w` is its window, `n` the realm's name. */
const WAYS = `
function leave(w, n) {
  const d = w.document;
  const host = (way) => way + '.' + n + '.${DOMAIN}';
  const at = (way) => 'http://' + host(way) + '/';
  const put = (tag, set) => { const e = d.createElement(tag); set(e); (d.body || d.documentElement).append(e); return e; };
  const peer = (config) => {
    const p = new w.RTCPeerConnection(config);
    p.createDataChannel('x');
    p.createOffer().then((offer) => p.setLocalDescription(offer));
    (self.kept ||= []).push(p);
  };
  const link = (rel, extra = {}) => () => put('link', (e) => Object.assign(e, { rel, href: at(rel), ...extra }));
  const ways = {
    stun: () => peer({ iceServers: [{ urls: 'stun:${CANARY_ADDRESS}:${CANARY_PORT}' }] }),
    turnTcp: () => peer({ iceServers: [{ urls: 'turn:${CANARY_ADDRESS}:${CANARY_PORT}?transport=tcp', username: 'a', credential: 'b' }] }),
    turnName: () => peer({ iceServers: [{ urls: 'turn:' + host('turn') + ':80?transport=tcp', username: 'a', credential: 'b' }] }),
    webkitPeer: () => new w.webkitRTCPeerConnection({ iceServers: [{ urls: 'stun:' + host('webkitpeer') }] }).createOffer({ offerToReceiveAudio: true }),
    transport: () => new w.WebTransport('https://' + host('transport') + ':443/'),
    socket: () => new w.WebSocket('ws://' + host('socket') + '/'),
    socketStream: () => new w.WebSocketStream('ws://' + host('socketstream') + '/'),
    fetch: () => w.fetch(at('fetch'), { mode: 'no-cors' }).catch(() => {}),
    fetchLater: () => w.fetchLater(at('fetchlater'), { activateAfter: 0 }),
    beacon: () => w.navigator.sendBeacon(at('beacon'), 'x'),
    xhr: () => { const x = new w.XMLHttpRequest(); x.open('GET', at('xhr')); x.send(); },
    events: () => new w.EventSource(at('events')),
    image: () => { new w.Image().src = at('image'); },
    audio: () => { new w.Audio(at('audio')).play().catch(() => {}); },
    script: () => put('script', (e) => { e.src = at('script'); }),
    frame: () => put('iframe', (e) => { e.src = at('frame'); }),
    object: () => put('object', (e) => { e.data = at('object'); }),
    embed: () => put('embed', (e) => { e.src = at('embed'); }),
    style: () => put('style', (e) => { e.textContent = '@import "' + at('import') + '"; html { background: url(' + at('css') + ') } @font-face { font-family: x; src: url(' + at('font') + ') } * { font-family: x }'; }),
    svg: () => put('div', (e) => { e.innerHTML = '<svg><image href="' + at('svgimage') + '"/><use href="' + at('svguse') + '#a"/></svg>'; }),
    preconnect: link('preconnect'), dns: link('dns-prefetch'), prefetch: link('prefetch'), prerender: link('prerender'),
    preload: link('preload', { as: 'image' }), modulepreload: link('modulepreload'), sheet: link('stylesheet'),
    manifest: link('manifest'), icon: link('icon'), dictionary: link('compression-dictionary'),
    linkText: () => put('div', (e) => { e.innerHTML = '<link rel=preconnect href=' + at('linktext') + '><link rel=dns-prefetch href=' + at('dnstext') + '>'; }),
    linkList: () => put('link', (e) => { e.href = at('linklist'); e.relList.add('preconnect'); }),
    linkAttribute: () => put('link', (e) => { e.setAttribute('href', at('linkattr')); e.setAttribute('REL', 'dns-prefetch'); }),
    linkNode: () => put('link', (e) => { const a = d.createAttribute('rel'); a.value = 'preconnect'; e.href = at('linknode'); e.setAttributeNode(a); }),
    linkLate: () => { const e = put('link', () => {}); e.rel = 'preconnect'; e.href = at('linklate'); },
    linkWritten: () => put('iframe', (e) => { setTimeout(() => { e.contentDocument.write('<link rel=preconnect href=' + at('written') + '>'); e.contentDocument.close(); }, 50); }),
    speculation: () => put('script', (e) => { e.type = 'speculationrules'; e.textContent = JSON.stringify({ prefetch: [{ urls: [at('speculation')] }], prerender: [{ urls: [at('prerender2')] }] }); }),
    anchor: () => put('a', (e) => { e.href = 'https://' + host('anchor') + '/'; e.textContent = 'x'; }),
    attribution: () => put('img', (e) => { e.setAttribute('attributionsrc', at('attribution')); }),
    payment: () => new w.PaymentRequest([{ supportedMethods: 'https://' + host('payment') + '/' }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment().catch(() => {}),
    identity: () => w.navigator.credentials.get({ identity: { providers: [{ configURL: 'https://' + host('identity') + '/c.json', clientId: 'x' }] } }).catch(() => {}),
    key: () => w.navigator.credentials.create({ publicKey: { rp: { id: host('key'), name: 'x' }, user: { id: new Uint8Array(8), name: 'x', displayName: 'x' }, challenge: new Uint8Array(8), pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } }).catch(() => {}),
    moduleImport: () => w.eval('im' + 'port(' + JSON.stringify(at('module')) + ')').catch(() => {}),
    worker: () => new w.Worker(w.URL.createObjectURL(new w.Blob(['for (const f of [() => fetch("' + at('workerfetch') + '", {mode:"no-cors"}), () => new WebSocket("ws://' + host('workersocket') + '"), () => new WebTransport("https://' + host('workertransport') + ':443"), () => importScripts("' + at('workerscript') + '"), () => new RTCPeerConnection({iceServers:[{urls:"stun:${CANARY_ADDRESS}:${CANARY_PORT}"}]}).createOffer({offerToReceiveAudio:true})]) { try { const r = f(); r && r.catch && r.catch(() => {}); } catch {} }']))),
    shared: () => new w.SharedWorker(w.URL.createObjectURL(new w.Blob(['fetch("' + at('sharedfetch') + '", {mode:"no-cors"}).catch(() => {})']))),
  };
  for (const way of Object.keys(ways)) { try { const r = ways[way](); if (r && r.catch) r.catch(() => {}); } catch {} }
}`;

/** Realms that a page can get hold of, each of them new. */
const REALMS = `
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const tried = (n, w) => { try { if (w && w.document) leave(w, n); } catch {} };
const rtc = (w) => { try { const p = new w.RTCPeerConnection({ iceServers: [{ urls: 'stun:${CANARY_ADDRESS}:${CANARY_PORT}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); (self.kept ||= []).push(p); } catch {} };
const own = '<scr' + 'ipt>(' + function () { try { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${CANARY_ADDRESS}:${CANARY_PORT}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); } catch {} } + ')()</scr' + 'ipt>';
const REALMS = {
  main: () => tried('main', window),
  real: () => tried('real', Function('return window')()),
  loader: () => tried('loader', Function('return parent')()),
  fresh: () => { const f = document.createElement('iframe'); document.body.append(f); tried('fresh', f.contentWindow); },
  indexed: () => { const real = Function('return window')(); const f = document.createElement('iframe'); const at = real.length; document.body.append(f); tried('indexed', real[at]); },
  text: () => { const e = document.createElement('div'); document.body.append(e); e.innerHTML = '<iframe></iframe>'; tried('text', e.firstChild.contentWindow); },
  onload: () => { const f = document.createElement('iframe'); f.onload = () => tried('onload', f.contentWindow); document.body.append(f); },
  sibling: () => { const real = Function('return window')(); real.sibling = () => rtc(real[real.length - 1]); const t = document.createElement('template'); t.innerHTML = '<div><iframe></iframe></div>'; const s = document.createElement('script'); s.textContent = 'Function("return window")().sibling()'; t.content.firstChild.append(s); document.body.append(t.content.cloneNode(true)); },
  element: () => { const real = Function('return window')(); customElements.define('x-hostile', class extends HTMLElement { connectedCallback() { rtc(real[real.length - 1]); } }); const e = document.createElement('div'); document.body.append(e); e.innerHTML = '<iframe></iframe><x-hostile></x-hostile>'; },
  srcdoc: () => { const f = document.createElement('iframe'); f.srcdoc = own; document.body.append(f); },
  srcdocAttribute: () => { const f = document.createElement('iframe'); f.setAttribute('srcdoc', own); document.body.append(f); },
  srcdocText: () => { const e = document.createElement('div'); document.body.append(e); e.innerHTML = '<iframe srcdoc="' + own.replace(/"/g, '&quot;') + '"></iframe>'; },
  sandboxed: () => { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.srcdoc = own; document.body.append(f); },
  blob: () => { const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([own], { type: 'text/html' })); document.body.append(f); },
  nativeBlob: () => { const f = document.createElement('iframe'); Reflect.apply(Function('return parent')().Object.getOwnPropertyDescriptor(Function('return parent')().HTMLIFrameElement.prototype, 'src').set, f, [URL.createObjectURL(new Blob([own], { type: 'text/html' }))]); document.body.append(f); },
  data: () => { const f = document.createElement('iframe'); f.src = 'data:text/html,' + encodeURIComponent(own); document.body.append(f); },
  script: () => { const f = document.createElement('iframe'); f.src = 'javascript:' + encodeURIComponent(own.slice(8, -9)); document.body.append(f); },
  written: () => { const f = document.createElement('iframe'); document.body.append(f); f.contentDocument.open(); f.contentDocument.write(own); f.contentDocument.close(); },
  nested: () => { const f = document.createElement('iframe'); document.body.append(f); const g = f.contentDocument.createElement('iframe'); f.contentDocument.body.append(g); tried('nested', g.contentWindow); },
  shadow: () => { const e = document.createElement('div'); document.body.append(e); const r = e.attachShadow({ mode: 'open' }); r.innerHTML = '<iframe></iframe>'; tried('shadow', r.firstChild.contentWindow); },
  svg: () => { const f = document.createElement('iframe'); f.src = '/drawing.svg'; document.body.append(f); f.onload = () => { try { rtc(f.contentWindow); } catch {} }; },
  parsed: () => { const e = new DOMParser().parseFromString('<iframe></iframe>', 'text/html').body.firstChild; document.body.append(e); tried('parsed', e.contentWindow); },
};
(async () => {
  for (const name of Object.keys(REALMS)) { try { REALMS[name](); } catch {} await pause(150); }
  await pause(1500);
  document.title = 'all tried';
})();`;

/** Ways that need no script. */
const STATIC = [
  [
    'preconnect',
    'dns-prefetch',
    'prefetch',
    'prerender',
    'preload" as="image',
    'stylesheet',
    'manifest',
    'icon',
  ]
    .map((rel) => `<link rel="${rel}" href="http://${rel.split('"', 1)[0]}.static.${DOMAIN}/">`)
    .join(''),
  // Spellings that a rewriter of text may take for something else.
  `<link rel=preconnect href="http:/\\odd1.static.${DOMAIN}/"><link rel="dns-prefetch" href=" \t//odd2.static.${DOMAIN}">`,
  `<link rel=preconnect href="ht&#10;tp://odd3.static.${DOMAIN}/"><LINK REL=Preconnect HREF=\\\\odd4.static.${DOMAIN}>`,
  `<meta http-equiv="x-dns-prefetch-control" content="on">`,
  `<script type="speculationrules">{"prefetch":[{"urls":["http://rules.static.${DOMAIN}/"]}]}</script>`,
  `<img src="http://img.static.${DOMAIN}/"><img srcset="http:/\\srcset.static.${DOMAIN}/ 1x" attributionsrc="http://attr.static.${DOMAIN}/">`,
  `<video src="http://video.static.${DOMAIN}/" poster="http://poster.static.${DOMAIN}/" autoplay muted></video>`,
  `<iframe src="http://frame.static.${DOMAIN}/"></iframe><iframe src="http:/\\frame2.static.${DOMAIN}/"></iframe>`,
  `<iframe srcdoc="<link rel=preconnect href=http://srcdoc.static.${DOMAIN}/><img src=http://srcdocimg.static.${DOMAIN}/><script>new Image().src = 'http://srcdocscript.static.${DOMAIN}/'; try { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${CANARY_ADDRESS}:${CANARY_PORT}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); } catch (e) {}</script>"></iframe>`,
  `<object data="http://object.static.${DOMAIN}/"></object><embed src="http://embed.static.${DOMAIN}/">`,
  `<p style="background: url(http://css.static.${DOMAIN}/)">text</p><svg><image href="http://svg.static.${DOMAIN}/"/></svg>`,
  `<style>@import "http:/\\import.static.${DOMAIN}/"; @font-face { font-family: f; src: url(//font.static.${DOMAIN}/) } h1 { font-family: f }</style>`,
  `<a href="https://anchor.static.${DOMAIN}/" ping="http://ping.static.${DOMAIN}/">a</a><iframe name="sink"></iframe>`,
  `<table background="http:/\\table.static.${DOMAIN}/"><tr><td>x</table><input type=image src="http:/\\input.static.${DOMAIN}/">`,
].join('\n');

export const HOSTILE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  [
    'Link',
    `<http://linkheader.static.${DOMAIN}/>; rel=preconnect, <http://preloadheader.static.${DOMAIN}/a.png>; rel=preload; as=image`,
  ],
  ['Content-Security-Policy-Report-Only', `default-src 'none'; report-uri http://report.static.${DOMAIN}/`],
  ['Set-Cookie', 'a=1'],
];

export const HOSTILE_PAGE = `<!doctype html><html><head><title>hostile</title>${STATIC}</head><body><h1>hostile</h1>
<script>${WAYS}${REALMS}</script></body></html>`;

/** Of the drawing, which leads itself away and not the page. */
export const DRAWING_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Type', 'image/svg+xml'],
  ['Refresh', `1; url=http://refreshheader.static.${DOMAIN}/`],
];

/** Lies beside the page: what wabac does not rewrite. */
export const HOSTILE_DRAWING = `<svg xmlns="http://www.w3.org/2000/svg"><script>
new Image().src = 'http://drawing.svg.${DOMAIN}/';
try { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${CANARY_ADDRESS}:${CANARY_PORT}' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); } catch (e) {}
</script></svg>`;
