import type { ExperimentFinding, Outcome } from '../../lab/experiment/experiment.ts';
import type { PaperExperiment } from '../../lab/reproduce/paper-experiment.ts';

export interface Reproduced {
  readonly experiment: PaperExperiment;
  readonly outcome: Outcome;
  /** File names, and the drawings themselves. */
  readonly figures: readonly { readonly file: string; readonly svg: string }[];
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
h2 { margin-top: 3rem } table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ccc; padding: .4rem .6rem; text-align: left; vertical-align: top }
th[scope=row] { font-weight: normal } svg { max-width: 100%; height: auto }
.holds { color: #1c6b2a } .part { color: #7a5600 } .not { color: #9b1c1c } td.verdict { white-space: nowrap }
@media print { h2 { break-before: page } }`;

const CLASS = {
  holds: 'holds',
  'holds in part': 'part',
  'does not hold': 'not',
  'not measured': 'part',
} as const;

/** One page for people: what each paper says, next to what came out here. Self-contained, runs no scripts. */
export function reproducePage(
  done: readonly Reproduced[],
  { seed, quick }: { readonly seed: number; readonly quick: boolean },
): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The papers' experiments, measured again</title><style>${STYLE}</style></head><body>
<h1>The papers' experiments, measured again</h1>
<p>${quick ? '<strong>Quick run: sizes are cut, verdicts mean little.</strong> ' : ''}Seed ${seed}. Each experiment has
its numbers beside it as CSV and JSON. A statement <em>holds in part</em> where some of what it says came out.</p>
<table><thead><tr><th>experiment</th><th>holds</th><th>in part</th><th>does not hold</th></tr></thead><tbody>
${done.map(summaryRow).join('\n')}
</tbody></table>
${done.map(section).join('\n')}
</body></html>
`;
}

function summaryRow({ experiment, outcome }: Reproduced): string {
  const link = `<th scope="row"><a href="#${experiment.name}">${escaped(`${experiment.paper}, ${experiment.figure}: ${experiment.title}`)}</a></th>`;
  if (outcome.kind === 'skipped')
    return `<tr>${link}<td colspan="3">skipped: ${escaped(outcome.reason)}</td></tr>`;
  const count = (holds: ExperimentFinding['holds']): number =>
    outcome.findings.filter((each) => each.holds === holds).length;
  return `<tr>${link}<td>${count('holds')}</td><td>${count('holds in part')}</td><td>${count('does not hold')}</td></tr>`;
}

function section({ experiment, outcome, figures }: Reproduced): string {
  const { name, paper, figure, title, method, statements } = experiment;
  const head = `<section id="${name}"><h2>${escaped(`${paper}, ${figure}: ${title}`)}</h2><p>${escaped(method)}</p>`;
  if (outcome.kind === 'skipped') {
    const said = statements.map((statement) => `<li>${escaped(statement)}</li>`).join('');
    return `${head}<p><strong>Skipped:</strong> ${escaped(outcome.reason)}.</p><ul>${said}</ul></section>`;
  }
  const rows = outcome.findings.map(
    ({ statement, holds, ours }) =>
      `<tr><th scope="row">${escaped(statement)}</th><td class="verdict ${CLASS[holds]}">${holds}</td><td>${escaped(ours)}</td></tr>`,
  );
  const drawings = figures.map(
    ({ file, svg }, k) =>
      `<figure>${svg}<figcaption>${escaped(outcome.plots[k]?.title ?? '')} (<a href="${file}">SVG</a>)</figcaption></figure>`,
  );
  return `${head}
<table><thead><tr><th>the paper says</th><th>here</th><th>measured</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
${drawings.join('\n')}
<p><a href="${name}.csv">CSV</a>, <a href="${name}.json">JSON</a></p></section>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
