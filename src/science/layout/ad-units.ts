/**
 * Parts of a page that say themselves that they are advertisements: by a label that readers see ("Anzeige",
 * "Sponsored"), or by a class or ID ("teaser--ad"). Works on texts and names alone, so that a layout filled without a
 * browser is judged like one that was shown.
 *
 * The unit a label stands for is the smallest element around it that holds a link, picture or frame, provided that the
 * label comes first in it; an empty slot that scripts would have filled is labelled too, and must not claim the story
 * after it.
 */
import type { PageSnapshot, SnapshotElement, SnapshotNode } from '../../model/page-snapshot.ts';
import { linkAddress } from './element-kinds.ts';

/** Complete label texts, in lower case: German, English, French, Spanish, Portuguese, Italian, Dutch and others. */
const LABELS = new Set(
  [
    'anzeige|anzeigen|werbung|eigenwerbung|verlagsangebot|verlagsangebote|gesponsert|gesponserte inhalte|bezahlte anzeige',
    'partnerangebot|partnerinhalt|sponsored|sponsored content|sponsored post|sponsored links|advertisement|advertisements',
    'advertising|advertorial|paid content|paid post|paid partnership|promoted|promotion|promoted content|partner content',
    'publicité|publicités|annonce|annonces|contenu sponsorisé|sponsorisé|publi-rédactionnel|partenariat',
    'publicidad|contenido patrocinado|patrocinado|publicidade|conteúdo patrocinado|patrocinados|pubblicità|sponsorizzato',
    'contenuto sponsorizzato|advertentie|advertenties|gesponsord|reclame|annons|annonse|reklame|mainos|reklam|reklama',
    'ogłoszenie|inzerce|hirdetés|reclamă|реклама|διαφήμιση|広告|スポンサー|광고|广告|廣告',
  ].flatMap((line) => line.split('|')),
);

/** In characters; longer texts are sentences. */
const LONGEST_LABEL = 30;

/** "Anzeige:" and "– Anzeige –" count as the same label. */
function isLabel(text: string): boolean {
  if (text.length > LONGEST_LABEL) return false;
  return LABELS.has(text.toLowerCase().replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, ''));
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Names that are used for nothing else. */
const PLAIN_NAMES = words(
  'advert adverts advertisement advertisements advertising advertorial anzeige anzeigen werbung eigenwerbung sponsored publicite pubblicita publicidad reklame reklam',
);
/** Some sites give these names to any box: they count only where every link of the unit leaves the site. */
const SHORT_NAMES = words('ad ads adv adbox adslot adunit adbanner');

/** Script hooks name what is to be done, not what the element is; `no-ads` and the like say the opposite. */
const NO_NAME = /^js[-_]|(?:^|[-_])(?:no|has|with|without|hide|refresh|load|block)[-_]/iu;

type AdName = 'plain' | 'short' | 'none';

function adName(names: string): AdName {
  let found: AdName = 'none';
  for (const name of names.split(/\s+/u)) {
    if (name === '' || NO_NAME.test(name)) continue;
    const parts = name
      .replace(/([a-z])([A-Z])/gu, '$1-$2')
      .toLowerCase()
      .split(/[-_:]+/u);
    if (parts.some((part) => PLAIN_NAMES.has(part))) return 'plain';
    if (parts.some((part) => SHORT_NAMES.has(part))) found = 'short';
  }
  return found;
}

/**
 * Most links, pictures and frames in a unit: lists of sponsored links are longer than teasers but shorter than a story
 * section.
 */
const LARGEST_UNIT = 16;
/** Most empty elements between a label and its unit: the label's own line and box. With more, it labels an empty slot. */
const EMPTY_LEVELS = 3;
/** Elements that a reader sees as one thing: a unit does not grow past them. */
const WHOLE = new Set(['a', 'article', 'aside', 'li', 'section', 'figure', 'iframe', 'main', 'nav', 'body']);

const ADDRESSED = new Set(['a', 'area', 'img', 'iframe', 'frame', 'embed', 'object', 'video']);

export interface UnitContext {
  /** 1 for nodes in menus: menu entries may bear these names without being advertisements. */
  readonly navigation: Uint8Array;
  readonly foreign: (url: string | undefined) => boolean;
}

/** 1 for each node inside an advertisement unit. */
export function adUnits({ nodes }: PageSnapshot, { navigation, foreign }: UnitContext): Uint8Array {
  const inside = new Uint8Array(nodes.length);
  const contents = contentsOf(nodes);
  const named = new Map<string, AdName>();
  nodes.forEach((node, i) => {
    let unit = 0;
    if (node.kind === 'text') {
      if (navigation[i] === 0 && isLabel(node.text)) unit = labelledUnit(nodes, contents, i);
    } else if (i > 0) {
      const names = `${node.attributes.class ?? ''} ${node.attributes.id ?? ''}`;
      const name = named.get(names) ?? adName(names);
      named.set(names, name);
      if (name !== 'none') unit = contents.held(i) > 0 ? i : markedUnit(nodes, contents, i);
      if (name === 'short' && !leadsAway(nodes, contents, unit, foreign)) unit = 0;
    }
    if (unit > 0 && contents.held(unit) <= LARGEST_UNIT) inside[unit] = 1;
  });
  for (let i = 1; i < nodes.length; i++) {
    if (inside[(nodes[i] as SnapshotNode).parent] === 1) inside[i] = 1;
  }
  return inside;
}

/** What each element holds. */
interface Contents {
  /** Number of links, pictures and frames. */
  held(node: number): number;
  /** -1 for none. */
  firstText(node: number): number;
  texts(node: number): number;
  /** The first node after everything inside: an element's content follows it without a gap. */
  end(node: number): number;
}

function contentsOf(nodes: PageSnapshot['nodes']): Contents {
  const [held, texts, size, firstText] = Array.from({ length: 4 }, () => new Int32Array(nodes.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  firstText.fill(-1);
  // Parents come before their children, so going backwards meets all children before their parent.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i] as SnapshotNode;
    size[i] = (size[i] as number) + 1;
    if (node.kind === 'text') {
      firstText[i] = i;
      texts[i] = 1;
    } else if (ADDRESSED.has(node.tag)) held[i] = (held[i] as number) + 1;
    const { parent } = node;
    if (parent < 0) continue;
    for (const count of [held, texts, size]) count[parent] = (count[parent] as number) + (count[i] as number);
    if ((firstText[i] as number) >= 0) firstText[parent] = firstText[i] as number;
  }
  return {
    held: (node) => held[node] as number,
    firstText: (node) => firstText[node] as number,
    texts: (node) => texts[node] as number,
    end: (node) => node + (size[node] as number),
  };
}

/** Whether a unit has links or frames, and all of them lead to other sites. */
function leadsAway(
  nodes: PageSnapshot['nodes'],
  contents: Contents,
  unit: number,
  foreign: UnitContext['foreign'],
): boolean {
  if (unit <= 0 || contents.held(unit) > LARGEST_UNIT) return false;
  let links = 0;
  for (let i = unit; i < contents.end(unit); i++) {
    const node = nodes[i] as SnapshotNode;
    if (node.kind !== 'element') continue;
    const url = linkAddress(node) ?? (node.tag === 'iframe' ? node.attributes.src : undefined);
    if (url === undefined) continue;
    if (!foreign(url)) return false;
    links++;
  }
  return links > 0;
}

/** The smallest element that holds something and begins with the label, grown outwards as far as it may; 0 for none. */
function labelledUnit(nodes: PageSnapshot['nodes'], contents: Contents, label: number): number {
  let empty = 0;
  let unit = 0;
  for (let i = (nodes[label] as SnapshotNode).parent; i > 0; i = (nodes[i] as SnapshotNode).parent) {
    const { tag } = nodes[i] as SnapshotElement;
    const held = contents.held(i);
    if (held === 0) {
      if (++empty > EMPTY_LEVELS) return 0;
      continue;
    }
    if (tag === 'article' && unit === 0) return i;
    if (contents.firstText(i) !== label || held > LARGEST_UNIT) return unit;
    // A link named "Anzeigen" leads to the advertising department.
    if (tag === 'a' && held === 1 && contents.texts(i) === 1) return 0;
    unit = i;
    if (WHOLE.has(tag)) return unit;
  }
  return unit;
}

/** An empty element named as an advertisement marks the teaser that it is in. */
function markedUnit(nodes: PageSnapshot['nodes'], contents: Contents, mark: number): number {
  for (let i = (nodes[mark] as SnapshotNode).parent; i > 0; i = (nodes[i] as SnapshotNode).parent) {
    const { tag } = nodes[i] as SnapshotElement;
    if (tag === 'article' || tag === 'li') return contents.held(i) > 0 ? i : 0;
    if (WHOLE.has(tag) && tag !== 'a') return 0;
  }
  return 0;
}
