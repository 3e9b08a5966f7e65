import type { BatchReport } from '../archive/workers/hand-over.ts';
import type { WorkerList } from '../archive/workers/list-workers.ts';
import { formatDuration, formatSize, plural } from './quantity-text.ts';

/** Crawls listed one by one. */
const LISTED = 20;

export function workersText({ at, workers, crawls, finished, analyses }: WorkerList): string {
  const lines = workers.flatMap(({ id, machine, process, roles, since, beatAt, settled, rate, doing }) => [
    `worker ${id}  ${machine}, process ${process}  for ${formatDuration(Math.max(0, at - since))}, heard of ${formatDuration(Math.max(0, at - beatAt))} ago` +
      (roles.length > 0 ? `  ${roles.join(', ')}` : '') +
      (roles.includes('capture') ? `  ${settled} settled, ${rate.toFixed(1)}/s` : ''),
    ...(doing.length > 0 ? doing : ['waits for work']).map((what) => `  ${what}`),
  ]);
  const none = 'No worker has joined this archive.';
  const states = (['running', 'waiting', 'failed', 'withdrawn'] as const)
    .map((state) => [state, crawls.filter((one) => one.state === state).length] as const)
    .flatMap(([state, count]) => (count > 0 ? `${count} ${state}` : []));
  const counted = [...states, ...(finished > 0 ? [`${finished} finished`] : [])].join(', ');
  return [
    ...(lines.length > 0 ? lines : [none]),
    ...(counted === '' ? [] : [`Crawls handed over: ${counted}.`]),
    ...crawls.slice(0, LISTED).map(crawlLine),
    ...(crawls.length > LISTED ? [`  and ${crawls.length - LISTED} more: --json lists all`] : []),
    ...waitingLine(analyses, workers),
  ].join('\n');
}

function waitingLine(analyses: WorkerList['analyses'], workers: WorkerList['workers']): readonly string[] {
  if (analyses.length === 0) return [];
  const pages = analyses.reduce((sum, site) => sum + site.pages, 0);
  const isNobody = !workers.some(({ roles }) => roles.includes('analyse'));
  const nobody = isNobody ? ", and no worker has the role 'analyse'" : '';
  return [`Waiting to be analysed: ${plural(pages, 'page')} of ${plural(analyses.length, 'site')}${nobody}.`];
}

const crawlLine = ({ crawl, site, state, settled, waiting, error }: WorkerList['crawls'][number]): string =>
  `  crawl ${crawl}  ${site}  ${state}, ${settled} settled, ${waiting} waiting${error === undefined ? '' : `: ${error}`}`;

/** As its progress was told: pages and resources. */
function leftText(crawls: BatchReport['crawls']): string {
  const open = crawls.filter((one) => one.state !== 'finished' && one.state !== 'failed');
  const waiting = open.reduce((sum, one) => sum + one.waiting, 0);
  const unbegun = open.filter((one) => one.settled + one.waiting === 0).length;
  const parts = [
    ...(waiting > 0
      ? [`${plural(waiting, 'page or resource', 'pages and resources')} wait${waiting === 1 ? 's' : ''}`]
      : []),
    ...(unbegun > 0 ? [`${plural(unbegun, 'crawl')} ha${unbegun === 1 ? 's' : 've'} not begun`] : []),
  ];
  return parts.length === 0 ? '' : `: ${parts.join(', and ')}`;
}

export function batchText({ state, crawls, captured, unchanged, failed, bytes }: BatchReport): string {
  const of = (wanted: string): number => crawls.filter((one) => one.state === wanted).length;
  const sites = `${crawls.length} crawl${crawls.length === 1 ? '' : 's'}`;
  const head = {
    finished: `Workers are done with ${sites}: ${of('finished')} finished${of('failed') > 0 ? `, ${of('failed')} failed` : ''}.`,
    'handed-over': `Handed over ${sites}: 'daguerre workers' tells how far they are.`,
    withdrawn: `Withdrawn: workers finish the pages in hand. The same command goes on${leftText(crawls)}.`,
  }[state];
  const broken = crawls.filter(({ error }) => error !== undefined).slice(0, LISTED);
  return [
    head,
    `${captured} pages captured, ${unchanged} unchanged, ${failed} failed, ${formatSize(bytes)}.`,
    ...broken.map(({ crawl, site, error }) => `crawl ${crawl} (${site}): ${error}`),
  ].join('\n');
}
