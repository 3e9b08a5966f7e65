/**
 * `lab agree`: the crawler captures the newspaper once for each purpose of the second pass; counts what contradicts itself in the
 * captures.
 */
import { REVISIT_MODES, type RevisitMode, type SiteCapture } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import { bestDate } from '../../science/sharpness/dating.ts';
import { sharpnessOf } from '../../stages/site-capture.ts';
import { type CrawlLabPorts, crawlWeb } from '../crawl/crawl-web.ts';
import { measureCapture } from '../crawl/measure-capture.ts';
import { memoryPorts } from '../crawl/memory-ports.ts';
import { newspaperSite } from '../crawl/newspaper-site.ts';
import { virtualClock } from '../crawl/virtual-clock.ts';
import { type Experiment, experiment } from '../experiment/experiment.ts';
import { createNewspaper, type SizeName } from '../newspaper/index.ts';
import { meanAndSpread } from '../policies/experiment.ts';
import { pairsAt, type ReadPairs } from './contradictions.ts';

export interface AgreementInput {
  readonly size: SizeName;
  readonly seeds: readonly number[];
  /** Durations of a capture. */
  readonly hours: readonly number[];
  /** Earlier captures, one a day, from which rates are learnt. */
  readonly history: number;
  readonly start: Millis;
  readonly ports: CrawlLabPorts;
  readonly progress: (what: string) => void;
}

type SecondPass = Exclude<RevisitMode, 'none'>;

export interface AgreementRow {
  readonly hours: number;
  readonly seed: number;
  readonly purpose: SecondPass;
  readonly pages: number;
  readonly sharp: number;
  /** Computed from the changes that did happen. */
  readonly blur: number;
  readonly groups: number;
  /** Groups that are sharp together. */
  readonly together: number;
  /** For a reader who asks for the moment that proves the most pages. */
  readonly atDate: ReadPairs;
  /** Means, for a reader who asks for any time during the capture. */
  readonly atAnyTime: ReadPairs;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PURPOSES = REVISIT_MODES.filter((mode): mode is SecondPass => mode !== 'none');
/** Number of times in a capture at which a reader asks, evenly spread. */
const MOMENTS = 20;

export async function captureNewspaper(
  input: AgreementInput,
  { seed, hours, purpose }: { readonly seed: number; readonly hours: number; readonly purpose: SecondPass },
): Promise<AgreementRow> {
  const { size, history, ports: given } = input;
  const begin = input.start - history * DAY;
  const world = createNewspaper({ seed, start: begin, size });
  const web = newspaperSite(world, begin, input.start + 3 * hours * HOUR);
  const clock = virtualClock(begin);
  const ports = { ...given, ...memoryPorts(web, clock) };
  const settings = { workers: 8, rates: 'learned', seed } as const;
  for (let day = 0; day < history; day++) {
    const before = { ...settings, order: 'breadth-first', revisit: 'none', delay: 100 } as const;
    await crawlWeb(web, before, ports);
    await clock.sleep(begin + (day + 1) * DAY - clock.now());
  }
  const delay = (hours * HOUR) / (2 * Math.max(1, world.pages(input.start).length));
  const { capture } = await crawlWeb(
    web,
    { ...settings, order: 'adaptive-organ-pipe', revisit: purpose, delay },
    ports,
  );
  const { groups } = sharpnessOf(capture);
  const { blurTrue, sharpTrue } = measureCapture(capture, web);
  const moments = Array.from(
    { length: MOMENTS },
    (_, k) => capture.startedAt + ((k + 0.5) / MOMENTS) * (capture.finishedAt - capture.startedAt),
  );
  return {
    ...{ hours, seed, purpose, pages: capture.pages.length, sharp: sharpTrue, blur: blurTrue },
    groups: groups?.found ?? 0,
    together: groups?.strict ?? 0,
    atDate: pairsAt(capture, dateOf(capture), world),
    atAnyTime: meanCounts(moments.map((time) => pairsAt(capture, time, world))),
  };
}

/** t*, or the middle where no page is sharp. */
function dateOf({ pages, startedAt, finishedAt }: SiteCapture): Millis {
  const sharp = pages.flatMap(({ visit, revisit }) =>
    revisit?.outcome === 'same' ? [[visit.at, revisit.at] as const] : [],
  );
  return bestDate(sharp)?.time ?? (startedAt + finishedAt) / 2;
}

function meanCounts(list: readonly ReadPairs[]): ReadPairs {
  const { mean } = meanAndSpread(list.map((one) => [one.pairs, one.contradicting, one.dead, one.proven]));
  const [pairs = 0, contradicting = 0, dead = 0, proven = 0] = mean;
  return { pairs, contradicting, dead, proven };
}

/** The figures reported for each capture. */
const FIGURES: readonly {
  readonly name: string;
  readonly of: (row: AgreementRow) => number;
  readonly digits: number;
}[] = [
  { name: 'pairs', of: ({ atDate }) => atDate.pairs, digits: 0 },
  { name: 'contradicting at t*', of: ({ atDate }) => atDate.contradicting, digits: 1 },
  { name: 'at any time', of: ({ atAnyTime }) => atAnyTime.contradicting, digits: 1 },
  { name: 'dead at any time', of: ({ atAnyTime }) => atAnyTime.dead, digits: 1 },
  { name: 'pairs proven', of: ({ atDate }) => atDate.proven, digits: 0 },
  { name: 'groups sharp together', of: ({ together }) => together, digits: 1 },
  { name: 'sharp pages', of: ({ sharp }) => sharp, digits: 0 },
  { name: 'blur', of: ({ blur }) => blur, digits: 1 },
];

export const agreement: Experiment<AgreementInput> = experiment<AgreementInput, readonly AgreementRow[]>({
  name: 'agreement',
  title: 'Pages of one capture that contradict each other',
  method:
    'The crawler that archives, on the living newspaper under a clock that leaps, after captures on the days before. A pair is a page ' +
    'and an article whose headline it shows; it contradicts itself where a reader of the capture meets another headline or ' +
    'standfirst behind the link, though the live site agreed.',
  async measure(input) {
    const rows: AgreementRow[] = [];
    for (const hours of input.hours)
      for (const seed of input.seeds)
        for (const purpose of PURPOSES) {
          input.progress(`${hours} h, seed ${seed}, --revisit ${purpose}`);
          rows.push(await captureNewspaper(input, { seed, hours, purpose }));
        }
    return rows;
  },
  rows: (rows) =>
    rows.map(({ atDate, atAnyTime, ...row }) => ({
      ...row,
      ...{ pairs: atDate.pairs, contradictingAtDate: atDate.contradicting, deadAtDate: atDate.dead },
      ...{ contradicting: atAnyTime.contradicting, dead: atAnyTime.dead, proven: atDate.proven },
    })),
  text: (rows) => [
    {
      title: `Mean ± spread over ${new Set(rows.map(({ seed }) => seed)).size} newspapers`,
      header: ['hours', '--revisit', ...FIGURES.map(({ name }) => name)],
      rows: [...new Set(rows.map(({ hours }) => hours))].flatMap((hours) =>
        PURPOSES.map((purpose) => {
          const own = rows.filter((row) => row.hours === hours && row.purpose === purpose);
          const { mean, spread } = meanAndSpread(own.map((row) => FIGURES.map(({ of }) => of(row))));
          const told = FIGURES.map(
            ({ digits }, k) => `${mean[k]?.toFixed(digits)} ± ${spread[k]?.toFixed(digits)}`,
          );
          return [hours, purpose, ...told];
        }),
      ),
    },
  ],
  data: (rows) => ({ rows }),
  claims: [
    {
      statement:
        'With --revisit agree a reader meets fewer links that contradict their article or lead nowhere than with --revisit sharp.',
      verdict: (rows) => {
        const [agree, sharp] = [brokenLinks(rows, 'agree'), brokenLinks(rows, 'sharp')];
        return {
          holds: agree < sharp ? 'holds' : 'does not hold',
          ours: `${agree.toFixed(1)} and ${sharp.toFixed(1)} of a capture, for a reader who asks for any time of it`,
        };
      },
    },
  ],
});

/** Mean for one capture. */
function brokenLinks(rows: readonly AgreementRow[], purpose: SecondPass): number {
  const own = rows.filter((row) => row.purpose === purpose);
  return (
    own.reduce((sum, { atAnyTime }) => sum + atAnyTime.contradicting + atAnyTime.dead, 0) /
    Math.max(1, own.length)
  );
}
