import { blocksPage } from '../../capture/block/block-rules.ts';
import { crawlUrl } from '../../capture/scope/normalise.ts';
import { withFragment } from '../../capture/scope.ts';
import { blockRuleWords } from '../../model/block-rule.ts';
import { type CrawlSpec, hasHashPages, isRendered } from '../../model/crawl.ts';
import { UserError } from '../user-error.ts';

/** The seeds as the crawl requests them. Throws UserError for what is not a seed. */
export function seedUrls({ seeds, scope, seedScopes = [] }: CrawlSpec): readonly string[] {
  if (seeds.length === 0)
    throw new UserError("no URL to begin with: try 'daguerre archive https://example.org/'");
  const own = new Map(seedScopes.map((seed) => [seed.url, seed.scope.type]));
  return seeds.map((seed) => {
    const parsed = crawlUrl(seed);
    if (!parsed.ok) throw new UserError(`'${seed}' cannot be archived: ${parsed.detail}`);
    if (holdsPassword(seed))
      throw new UserError(
        `${parsed.url} was given with a user name or password in the address, which would be kept with the crawl: ` +
          'leave it out, and give --credentials env:NAME (or file:PATH)',
      );
    return (own.get(seed) ?? scope.type) === 'page-spa' ? withFragment(parsed.url, seed) : parsed.url;
  });
}

function holdsPassword(seed: string): boolean {
  const { username, password } = new URL(seed);
  return username !== '' || password !== '';
}

/** Throws UserError for settings that contradict each other. */
export function checkTaking(spec: CrawlSpec, urls: readonly string[]): void {
  if (hasHashPages(spec) && !isRendered(spec))
    throw new UserError(
      '--scope-type page-spa follows links that scripts answer, and needs the browser: leave out --render never',
    );
  for (const rule of spec.blockRules ?? []) {
    const seed = urls.find((url) => blocksPage(rule, url));
    if (seed !== undefined)
      throw new UserError(
        `the block rule '${blockRuleWords(rule)}' would block the seed ${seed} itself: block rules are for what pages load; ` +
          'to leave pages out, use --exclude; to block what lies below a page, say so in the rule (e.g. .+\\.mp4)',
      );
  }
}
