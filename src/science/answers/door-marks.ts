import { type AnswerVerdict, LONGEST_WALL, type SeenAnswer } from './seen-answer.ts';

/**
 * Doors: the answer asks the visitor to sign in, or to consent, before the page is shown. A page that is a login form is an
 * ordinary page; a door is one that stands in the way of another. So the address must say it: if the visitor was redirected here
 * by the requested page, this address says where to return to; if the page itself answers, its address is not that of a login.
 */
const LOGIN_ADDRESS =
  /(?:^|[/._-])(?:log-?[io]n|sign-?in|anmeld\w*|connexion|identification|auth\w*|sso|oauth2?|openid|saml2?|accounts?|konto|session|wp-login|cas|register|signup|sign-?up|password|my|mein|moncompte|user|users|admin|member|members)(?:[/._?=&-]|$)/i;
const CONSENT_ADDRESS =
  /(?:^|[/._-])(?:consent\w*|zustimmung|einwilligung|collectconsent|cookie-?wall|cookiewall|privacy-?(?:gate|wall|consent)|gdpr|tcf|consentement|pur-?abo)(?:[/._?=&-]|$)/i;

/** What the address of a page nobody has looked at must contain: narrower, since no form confirms it. */
const LOGIN_TARGET =
  /(?:^|[/._-])(?:\w*log-?[io]n|sign-?in|anmeld\w*|connexion|identification|auth(?:n|enticat\w*|ori[sz]\w*)?|sso|oauth2?|openid|saml2?|shibboleth|adfs|idp|accounts?|konto|wp-login|cas|register|signup|sign-?up)(?:[/._?=&-]|$)/i;
/** Pages that are about signing in: if they lead to a login, nothing stands in anybody's way. */
const LOGIN_PAGE =
  /(?:^|[/._-])(?:\w*log-?(?:[io]n|out|off)|sign-?(?:in|up|out)|anmeld\w*|abmeld\w*|connexion|deconnexion|oauth2?|openid|saml2?|sso|wp-login|register|signup|password)(?:[/._?=&-]|$)/i;

const PASSWORD = /<input\b[^>]{0,300}\btype\s*=\s*["']?password\b/i;

/** Some ask for the name first, and for the password on a separate page; the name field is marked for the browser's autofill. */
const IDENTIFIER =
  /<input\b(?=[^>]{0,400}\b(?:type\s*=\s*["']?email\b|autocomplete\s*=\s*["']?(?:username|webauthn|email)\b|name\s*=\s*["']?(?:identifier|loginfmt|username|user_?name|login|userid|email|session\[username)))[^>]{0,400}>/i;
/** A newsletter page asks for an address as well. */
const NEWSLETTER = /\b(?:newsletter|subscribe to our|mailing list|rundbrief|infolettre)\b/i;

const LOGIN_WORDS =
  /\b(?:log ?in|sign ?in|log on|please (?:log|sign) in|anmelden|einloggen|se connecter|connexion|identifiez-vous|iniciar sesión|accedi|inloggen|войти)\b/i;
const LOGIN_DEMAND =
  /\b(?:(?:please )?(?:log|sign) ?in to (?:continue|view|see|read|access)|you (?:must|need to) (?:log|sign|be logged|be signed) ?in|login required|members only|bitte (?:melden sie sich|loggen sie sich)|melden sie sich an, um|veuillez vous (?:connecter|identifier)|connectez-vous pour|debes iniciar sesión|authorization required|restricted area)/i;
const CONSENT_WORDS = [
  /\bcookies?\b/i,
  /\b(?:consent|zustimm\w+|einwillig\w+|consentement|akzeptieren|accept all|accepter|agree|i agree|einverstanden|accetta|aceptar)\b/i,
  /\b(?:partners?|partnern?|partenaires|personali[sz]ed|personalisierte|privacy|datenschutz|tracking|confidentialité)\b/i,
] as const;

/** Largest number of characters on a login page, everything around the form included. */
const LONGEST_LOGIN = 1500;
const MOST_LINKS = 40;
/** For a page that asks only for a name: a home page with a newsletter field has more links. */
const FEW_LINKS = 15;

export function byDoors(answer: SeenAnswer, shown: string): AnswerVerdict | undefined {
  const { url, via, status, html, text, title, links } = answer;
  if (status === 401) return { kind: 'login-wall', evidence: 'the server answered 401: it asks for a login' };
  const address = whereTo(url);
  const isSent = via !== undefined && via !== url && namesTheWayBack(url, via);
  if (text.length > LONGEST_WALL || links > MOST_LINKS) return undefined;
  const isSentToLogin = isSent && (LOGIN_ADDRESS.test(address) || LOGIN_WORDS.test(title));
  if (isSentToLogin && (PASSWORD.test(html) || asksForName(html, shown)))
    return { kind: 'login-wall', evidence: `${via} leads to a login that would lead back there` };
  if (isSent && CONSENT_ADDRESS.test(address) && CONSENT_WORDS.every((words) => words.test(shown)))
    return {
      kind: 'consent-wall',
      evidence: `${via} leads to a request for consent that would lead back there`,
    };
  if (isSent || text.length > LONGEST_LOGIN || LOGIN_ADDRESS.test(address)) return undefined;
  const demand = LOGIN_DEMAND.exec(shown);
  const hasForm = PASSWORD.test(html) || (links <= FEW_LINKS && asksForName(html, shown));
  if (demand && hasForm && LOGIN_WORDS.test(title))
    return {
      kind: 'login-wall',
      evidence: `a login in place of the page: “${demand[0].slice(0, 80)}”, and ${text.length} characters of text`,
    };
  return undefined;
}

const asksForName = (html: string, shown: string): boolean =>
  IDENTIFIER.test(html) && LOGIN_WORDS.test(shown) && !NEWSLETTER.test(shown);

/** A redirect whose target is not requested, since it is outside the crawl: only the address tells what is there. */
export interface UnfollowedRedirect {
  readonly url: string;
  /** The address that redirected to `url`. */
  readonly via?: string;
  readonly target: string;
}

/**
 * A door recognised by addresses alone. Two signs again: the target says that it is a login, or a request for consent, and that it
 * would lead back to the page; or it is a request of OAuth, OpenID or SAML by their own grammar, on behalf of the page's host.
 */
export function behindRedirect({ url, via, target }: UnfollowedRedirect): AnswerVerdict | undefined {
  if (!URL.canParse(target) || !URL.canParse(url)) return undefined;
  const to = new URL(target);
  if (sameAddress(to, new URL(url))) return undefined;
  const isOnTheWay = via !== undefined && via !== url && namesTheWayBack(url, via);
  if (LOGIN_PAGE.test(whereTo(url)) && !isOnTheWay) return undefined;
  const address = whereTo(target);
  const leadsBack = namesTheWayBack(target, url);
  if (asksForIdentity(to, new URL(url)) || (leadsBack && LOGIN_TARGET.test(address)))
    return {
      kind: 'login-wall',
      evidence: `${url} leads to a login elsewhere, ${short(to)}, before it is shown`,
    };
  if (leadsBack && CONSENT_ADDRESS.test(address))
    return {
      kind: 'consent-wall',
      evidence: `${url} leads to a request for consent elsewhere, ${short(to)}, that would lead back there`,
    };
  return undefined;
}

/** Whether this is a request for authorization (RFC 6749, 4.1.1) that asks the visitor, or one of SAML (bindings 3.4). */
function asksForIdentity({ searchParams: asked }: URL, page: URL): boolean {
  if (asked.has('SAMLRequest')) return true;
  const back = asked.get('redirect_uri');
  // `prompt=none` forbids asking: a visitor who is not signed in is sent back, and sees the page.
  if (!asked.has('response_type') || !asked.has('client_id') || back === null || !URL.canParse(back))
    return false;
  return asked.get('prompt') !== 'none' && bareHost(new URL(back)) === bareHost(page);
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');
/** Without what may be a session secret. */
const short = ({ origin, pathname }: URL): string => origin + pathname;

/** Host and path: what an address says of itself. */
function whereTo(url: string): string {
  const { hostname, pathname } = new URL(url);
  return hostname + pathname;
}

/** Names of arguments that say where to go afterwards. */
const BACK_NAME =
  /^(?:next|back|continue|dest(?:ination)?|from|goto|path|ref(?:erer|errer)?|ret(?:urn)?(?:_?(?:to|url|path))?|redir(?:ect)?(?:_?(?:to|url|uri|path))?|service|target|url|origin|came_from|wreply|zurueck|retour)$/i;

/** An argument of the address holds the address that led here, in full or as a path. */
export function namesTheWayBack(url: string, via: string): boolean {
  const from = new URL(via);
  const path = from.pathname + from.search;
  for (const [name, value] of new URL(url).searchParams) {
    const asked = undone(value);
    // The root path is a single character, and occurs in many arguments that are no way back.
    const isPath = asked === path && (path.length > 1 || BACK_NAME.test(name));
    if (asked === via || asked === from.href || isPath) return true;
    if (URL.canParse(asked) && sameAddress(new URL(asked), from)) return true;
  }
  return false;
}

const sameAddress = (a: URL, b: URL): boolean => bareHost(a) === bareHost(b) && a.pathname === b.pathname;

/** Some values are escaped twice. */
function undone(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
