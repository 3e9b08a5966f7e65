import { DOMAIN } from './hostile-page.ts';

/**
 * Ways out that lead a page away, or a window, a frame, a form with it: the first that succeeds ends the page, so each
 * way is a page of its own. It says in its title that it is about to try, then tries.
 */
export interface LeadingPage {
  readonly name: string;
  /** The name that the canary hears when the way leads out. */
  readonly host: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly html: string;
}

/** Milliseconds between saying and trying: the title is looked at meanwhile. */
const PAUSE = 2500;

/** Statements that end at `to`; `put` adds an element to the page, `real` is the window without wabac's wrappers. */
const SCRIPTED: Readonly<Record<string, string>> = {
  location: 'location.href = to',
  assign: 'location.assign(to)',
  replace: 'location.replace(to)',
  reallocation: 'real.location.href = to',
  realreplace: 'real.location.replace(to)',
  parentlocation: "Function('return parent')().location.href = to",
  toplocation: "Function('return top')().location.href = to",
  openself: "real.open(to, '_self')",
  opentop: "real.open(to, '_top')",
  scripturl: "location.href = 'javascript:location.href=' + JSON.stringify(to)",
  anchor: "put('a', { href: to }).click()",
  anchortop: "put('a', { href: to, target: '_top' }).click()",
  anchornamed: "put('iframe', { name: 'sink' }); put('a', { href: to, target: 'sink' }).click()",
  download: "put('a', { href: to, download: 'x' }).click()",
  area: "put('area', { href: to }).click()",
  drawnanchor:
    "put('div', { innerHTML: '<svg><a href=\"' + to + '\"><text y=20>x</text></a></svg>' }).querySelector('a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))",
  formget: "put('form', { action: to }).submit()",
  formpost: "put('form', { action: to, method: 'post' }).submit()",
  formtop: "put('form', { action: to, method: 'post', target: '_top' }).submit()",
  formbutton: "put('form', { innerHTML: '<button formaction=\"' + to + '\">x</button>' }).firstChild.click()",
  formframe:
    "put('iframe', { name: 'sink' }); put('form', { action: to, method: 'post', target: 'sink' }).submit()",
  formfresh:
    "const d = put('iframe', {}).contentDocument; const f = d.createElement('form'); f.action = to; d.body.append(f); f.submit()",
  metainserted: "put('meta', { httpEquiv: 'refresh', content: '0;url=' + to })",
  metawritten: "document.write('<meta http-equiv=refresh content=\"0;url=' + to + '\">'); document.close()",
  framelocation: "put('iframe', {}).contentWindow.location = to",
  framerefresh: "put('iframe', { srcdoc: '<meta http-equiv=refresh content=\"0;url=' + to + '\">' })",
  frameanchor:
    "put('iframe', { srcdoc: '<a href=\"' + to + '\">x</a><script>document.links[0].click()</' + 'script>' })",
  farewell: "addEventListener('pagehide', () => navigator.sendBeacon(to)); location.reload()",
};
/** Firefox sends no pings, opens no window that nobody asked for, and has no such interface. */
const CHROMIUM_ONLY: Readonly<Record<string, string>> = {
  ping: "const a = put('a', { href: '#here' }); a.setAttribute('ping', to); a.click()",
  open: 'window.open(to)',
  realopen: 'real.open(to)',
  blank: "put('a', { href: to, target: '_blank' }).click()",
  navigate: 'real.navigation.navigate(to)',
};

const page = (name: string, more: Partial<LeadingPage>, inner = ''): LeadingPage => ({
  name,
  host: `${name}.away.${DOMAIN}`,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  html: `<!doctype html><html><head><title>${name} tries</title>${inner}</head><body><h1>${name}</h1></body></html>`,
  ...more,
});

function scripted([name, way]: readonly [string, string]): LeadingPage {
  const script = `const to = 'http://${name}.away.${DOMAIN}/';
const real = Function('return window')();
const put = (tag, set) => { const e = Object.assign(document.createElement(tag), set); (document.body ?? document.documentElement).append(e); return e; };
setTimeout(() => { ${way}; }, ${PAUSE});`;
  const made = page(name, {});
  return { ...made, html: made.html.replace('</body>', `<script>${script}</script></body>`) };
}

export function leadingPages(browser: string): readonly LeadingPage[] {
  const refresh = (name: string): string => `${PAUSE / 1000};url=http://${name}.away.${DOMAIN}/`;
  return [
    ...Object.entries(SCRIPTED).map(scripted),
    ...(browser === 'chromium' ? Object.entries(CHROMIUM_ONLY).map(scripted) : []),
    page('metarefresh', {}, `<meta http-equiv="refresh" content="${refresh('metarefresh')}">`),
    page('headerrefresh', {
      headers: [
        ['Content-Type', 'text/html; charset=utf-8'],
        ['Refresh', refresh('headerrefresh')],
      ],
    }),
  ];
}
