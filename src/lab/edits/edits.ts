/**
 * `lab edits` for people: for each kind of edit, how much of what is reported is true and how much of the truth is
 * reported.
 */
import { experiment, Skipped } from '../experiment/experiment.ts';
import type { Table } from '../experiment/text-table.ts';
import type { EditKind } from './page-edits.ts';
import { EDIT_KINDS, type EditStudy, type EditsInput, type StudiedEdit, studyEdits } from './study.ts';

const OVERALL = 0.98;
const EACH = 0.95;
/** Share of pages that must look the same when rendered again. */
const UNCHANGED = 0.98;

interface KindScore {
  readonly kind: EditKind | 'all';
  readonly edits: number;
  readonly expected: number;
  readonly found: number;
  readonly precision: number;
  readonly recall: number;
  /** Edits reported completely, with nothing else reported. */
  readonly exact: number;
  /** Splits, merges and frames reported in addition. */
  readonly structure: number;
  readonly falsePictures: number;
}

export const edits = experiment<EditsInput, EditStudy>({
  name: 'edits',
  title: 'Known edits in the HTML of real pages',
  method:
    'Each page is shown before and after an edit, without its scripts; operations on links, images and texts are ' +
    'scored against what the marked HTML elements say, those on blocks as operations on what they hold.',
  async measure(input) {
    const study = await studyEdits(input);
    return study.edits.length === 0 ? new Skipped('no page could be edited') : study;
  },
  rows: (study) => scores(study).map((score) => ({ ...score })),
  text: (study) => [
    `${study.edits.length} edits on ${study.pages.length} pages`,
    scoreTable(study),
    'A page that nobody changed',
    lookTable(study),
    ...EDIT_KINDS.flatMap((kind) => examplesOf(study, kind)),
    ...study.unseen.map(({ page, reason }) => `${page}: ${reason}`),
  ],
  data: (study) => ({ scores: scores(study), ...study }),
  claims: [
    {
      statement: `Over all edits, precision and recall are at least ${OVERALL}`,
      verdict(study) {
        const { precision, recall } = scoreOf('all', study.edits);
        const holds = Math.min(precision, recall) >= OVERALL ? 'holds' : 'does not hold';
        return { holds, ours: `${share(precision)} and ${share(recall)}` };
      },
    },
    {
      statement: `Of each kind of edit, precision and recall are at least ${EACH}`,
      verdict(study) {
        const low = scores(study).filter(({ precision, recall }) => Math.min(precision, recall) < EACH);
        const ours = low.map(({ kind, precision, recall }) => `${kind} ${share(precision)}/${share(recall)}`);
        return { holds: low.length === 0 ? 'holds' : 'does not hold', ours: ours.join(', ') || 'all' };
      },
    },
    {
      statement: 'No picture is said to be another that nobody changed',
      verdict(study) {
        const { falsePictures } = scoreOf('all', study.edits);
        return { holds: falsePictures === 0 ? 'holds' : 'does not hold', ours: String(falsePictures) };
      },
    },
    {
      statement: `A second look, and one in another window, have importance 0 on ${UNCHANGED * 100} % of pages`,
      verdict({ looks }) {
        const zero = looks.filter(({ importance }) => importance === 0).length;
        const holds = zero >= UNCHANGED * looks.length ? 'holds' : 'does not hold';
        return { holds, ours: `${zero} of ${looks.length}` };
      },
    },
    {
      statement: 'Every delta is exact, applied, turned round and written',
      verdict(study) {
        const broken = study.edits.filter(({ inexact }) => inexact.length > 0).length;
        const ours = `${study.edits.length - broken} of ${study.edits.length}`;
        return { holds: broken === 0 ? 'holds' : 'does not hold', ours };
      },
    },
  ],
});

const share = (value: number): string => value.toFixed(3).replace(/^0\./u, '.');

function scores({ edits: all }: EditStudy): KindScore[] {
  const kinds = EDIT_KINDS.filter((kind) => all.some((edit) => edit.kind === kind));
  return [
    ...kinds.map((kind) =>
      scoreOf(
        kind,
        all.filter((edit) => edit.kind === kind),
      ),
    ),
    scoreOf('all', all),
  ];
}

function scoreOf(kind: KindScore['kind'], all: readonly StudiedEdit[]): KindScore {
  const sum = (of: (edit: StudiedEdit) => number): number => all.reduce((total, edit) => total + of(edit), 0);
  const [expected, found, right] = [sum((e) => e.expected), sum((e) => e.found), sum((e) => e.right)];
  return {
    kind,
    edits: all.length,
    expected,
    found,
    precision: found === 0 ? 1 : right / found,
    recall: expected === 0 ? 1 : right / expected,
    exact: sum((edit) => (edit.right === edit.expected && edit.right === edit.found ? 1 : 0)),
    structure: sum((edit) => edit.structure),
    falsePictures: sum((edit) => edit.falsePictures),
  };
}

const scoreTable = (study: EditStudy): Table => ({
  header: [
    'edit',
    'edits',
    'expected',
    'told',
    'precision',
    'recall',
    'exact',
    'structure',
    'false pictures',
  ],
  rows: scores(study).map((one) => [
    one.kind,
    one.edits,
    one.expected,
    one.found,
    share(one.precision),
    share(one.recall),
    one.exact,
    one.structure,
    one.falsePictures,
  ]),
});

const lookTable = ({ looks }: EditStudy): Table => ({
  header: ['look', 'pages', 'importance 0', 'no operation', 'largest', 'on'],
  rows: (['again', 'wider'] as const).map((look) => {
    const own = looks.filter((one) => one.look === look);
    const [largest] = own.toSorted((a, b) => b.importance - a.importance);
    return [
      look,
      own.length,
      own.filter(({ importance }) => importance === 0).length,
      own.filter(({ operations }) => operations === 0).length,
      largest?.importance.toFixed(4),
      largest && largest.importance > 0 ? largest.page : undefined,
    ];
  }),
});

function examplesOf({ edits: all }: EditStudy, kind: EditKind): string[] {
  const lines = all
    .filter((edit) => edit.kind === kind && edit.words.length > 0)
    .map(({ page, words }) => [`  ${page}`, ...words.map((line) => `    ${line}`)].join('\n'));
  return lines.length === 0 ? [] : [[`Not as expected: ${kind}`, ...lines].join('\n')];
}
