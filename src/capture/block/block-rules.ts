import { type BlockRule, blockRuleWords, type RequestType } from '../../model/block-rule.ts';
import type { BlockVerdict, PageRequest, RequestBlocker } from '../../ports/request-blocker.ts';

interface CompiledRule extends Pick<BlockRule, 'type'> {
  readonly words: string;
  readonly url: RegExp | undefined;
  readonly inFrameUrl: RegExp | undefined;
  readonly types: ReadonlySet<RequestType> | undefined;
}

/** The first rule that applies is reported. Throws SyntaxError for an invalid regular expression. */
export function compileBlockRules(rules: readonly BlockRule[]): RequestBlocker {
  const compiled = rules.map(
    (rule): CompiledRule => ({
      type: rule.type,
      words: blockRuleWords(rule),
      url: rule.url === undefined ? undefined : new RegExp(rule.url),
      inFrameUrl: rule.inFrameUrl === undefined ? undefined : new RegExp(rule.inFrameUrl),
      types: rule.resourceTypes && new Set(rule.resourceTypes),
    }),
  );
  return {
    judge(request): BlockVerdict | undefined {
      const rule = compiled.find((one) => holds(one, request));
      return rule && { reason: 'blocked', rule: rule.words };
    },
  };
}

function holds({ type, url, inFrameUrl, types }: CompiledRule, request: PageRequest): boolean {
  if (inFrameUrl && !inFrameUrl.test(request.frameUrl ?? request.pageUrl)) return false;
  if (types && !types.has(request.type)) return false;
  const matches = url?.test(request.url) ?? type === 'block';
  return type === 'allowOnly' ? !matches : matches;
}

/**
 * Whether a rule would match the page itself. Rules never block pages, so what its author meant would not
 * happen.
 */
export function blocksPage(rule: BlockRule, url: string): boolean {
  if (rule.type !== 'block' || rule.inFrameUrl !== undefined) return false;
  if (rule.resourceTypes && !rule.resourceTypes.includes('document')) return false;
  return rule.url === undefined ? rule.resourceTypes === undefined : new RegExp(rule.url).test(url);
}

/** By the file extension: for things a page embeds that nobody has requested yet. */
export function typeByPath(url: string): RequestType {
  const ending = /\.([a-z0-9]{2,5})$/i
    .exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1]
    ?.toLowerCase();
  return ENDINGS[ending ?? ''] ?? 'other';
}

const ENDINGS: Readonly<Record<string, RequestType>> = Object.fromEntries(
  Object.entries({
    stylesheet: 'css',
    script: 'js mjs',
    image: 'png jpg jpeg gif webp avif svg ico bmp tif tiff',
    media: 'mp4 m4v webm ogv mov mp3 m4a ogg oga wav flac aac m3u8 mpd ts',
    font: 'woff woff2 ttf otf eot',
  }).flatMap(([type, endings]) => endings.split(' ').map((ending) => [ending, type as RequestType])),
);
