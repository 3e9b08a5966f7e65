import { changeView } from '../access/change-view/change-view.ts';
import { parsePageSource } from '../archive/given/page-source.ts';
import { openPageEye } from '../archive/look/look-at-page.ts';
import { systemClock } from '../archive/system-clock.ts';
import { changeImportance } from '../science/delta/change-importance.ts';
import { type DeltaReport, reportDelta } from '../science/delta/delta-json.ts';
import { diffLayouts } from '../science/delta/diff-layouts.ts';
import { operationWords } from '../science/delta/operation-words.ts';
import { writeViDelta } from '../science/delta/vi-delta.ts';
import type { DiffFlags } from './commands/diff.ts';
import { EXIT } from './exit-codes.ts';
import { writeOutput } from './write-output.ts';

/** Operations that the text names. */
const NAMED = 30;

export async function diff(before: string, after: string, flags: DiffFlags): Promise<void> {
  const now = systemClock.now();
  const sources = [parsePageSource(before, now), parsePageSource(after, now)] as const;
  const format = flags.json ? 'json' : flags.format;
  const eye = openPageEye({ ...flags, picture: format === 'html' });
  try {
    const old = await eye.look(sources[0], now);
    const current = await eye.look(sources[1], now);
    for (const fact of [...old.facts, ...current.facts]) process.stderr.write(`${fact}\n`);
    const delta = diffLayouts(old.layout, current.layout);
    const importance = changeImportance(delta);
    const report = reportDelta(delta, importance);
    const content = {
      text: () => reportText(report),
      json: () => `${JSON.stringify(report)}\n`,
      videlta: () => writeViDelta(delta),
      html: () => changeView({ old, new: current, delta, ...importance }),
    }[format]();
    await writeOutput(content, flags.out);
    if (report.partial !== undefined) {
      process.stderr.write(`only a part of the page was compared: ${report.partial}\n`);
      process.exitCode = EXIT.partial;
    }
  } finally {
    await eye.close();
  }
}

function reportText({ importance, partial, from, to, operations }: DeltaReport): string {
  const lines = [
    `${from.url} ${from.version}`,
    `${to.url} ${to.version}`,
    '',
    ...(partial === undefined ? [] : [`PARTIAL: ${partial}. There may be more changes than these.`]),
    `importance ${partial === undefined ? '' : 'at least '}${importance.toFixed(4)}, ${operations.length} operation${operations.length === 1 ? '' : 's'}`,
    ...operations
      .slice(0, NAMED)
      .map((operation) => `  ${operation.weight.toFixed(4)}  ${operationWords(operation)}`),
  ];
  if (operations.length > NAMED) lines.push(`  and ${operations.length - NAMED} more: see --json`);
  return `${lines.join('\n')}\n`;
}
