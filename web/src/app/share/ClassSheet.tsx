import { useMemo, useState } from 'preact/hooks';
import { focusOn } from '../../geometry/grid';
import { OWN_SET } from '../../lessons/exercises';
import type { PackedLink } from '../../link/compress';
import { type Hideable, isHideable, isLockable, type Lockable, type Look, type TeacherQuestion } from '../../look/look';
import { type Cell, type Geometry, type Hidden, INPUTS, TENSORS, type TensorName } from '../../protocol/problem';
import { SIZE_PARTS } from '../../protocol/size-table';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { VIEWS } from '../../views/list';
import { fullUrl, URL_LIMITS } from '../page/clipboard';
import type { Page, SideTab } from '../page/page';
import { Sheet } from '../page/Sheet';
import { useCopy } from '../page/use-copy';
import { usePackedLink } from '../page/use-packed-link';
import { collectedQuestions, TeacherQuestions } from './TeacherQuestions';
import './share.css';

interface ClassSheetProps {
  readonly page: Page;
  readonly tabs: readonly SideTab[];
  readonly onClose: () => void;
}

/** Prepares a link to the current view with parts of the page locked or hidden. This page does not change. */
export function ClassSheet({ page, tabs, onClose }: ClassSheetProps) {
  const { address, look } = page;
  const seen = useMemo(() => address.seen(), [address]);
  const groups = useMemo(() => groupsOf(seen.look.mode, tabs), [seen, tabs]);
  const [restrictions, setRestrictions] = useState<Restrictions>(() => ({
    locked: look.written.peek().locked,
    hiddenParts: look.written.peek().hiddenParts,
    hiddenCells: look.hiddenCells.peek(),
  }));
  const { copy, say, outcome } = useCopy();
  const geometry = page.currentContent.peek()?.geometry ?? null;
  const collected = collectedQuestions(page);
  const questions = collected.value;
  const prepared = useMemo(
    () => ({ ...seen, look: restrictedLook(seen.look, restrictions, questions, geometry) }),
    [seen, restrictions, questions, geometry],
  );
  const link = usePackedLink(prepared, () => say('The link could not be created.'));
  const restrict = (next: Restrictions) => {
    say('');
    setRestrictions(next);
  };
  const href = link ? fullUrl(link.hash) : undefined;
  return (
    <Sheet title="Prepare a link for class" wide onClose={onClose}>
      <div class="share grid loose">
        <p>
          The link opens what you see now: the values, the view, the pinned cell and the lesson. Choose what students
          cannot change (locked) or cannot see (hidden). Your own page does not change.
        </p>
        <div class="share__presets grid">
          {PRESETS.map(({ title, words, states }) => (
            <Button key={title} onClick={() => restrict(presetRestrictions(groups, states, restrictions))}>
              <strong>{title}</strong>
              <span class="note">{words}</span>
            </Button>
          ))}
        </div>
        {geometry && <TeacherQuestions geometry={geometry} suggested={look.current.peek()} collected={collected} />}
        <div class="share__groups">
          {groups.map((group) => (
            <details key={group.title} class="share__group">
              <summary>
                {group.title} <span class="note">{countsText(group, restrictions)}</span>
              </summary>
              <div class="grid tight">
                {group.rows.map((row) => (
                  <Select
                    key={row.label}
                    label={row.label}
                    options={optionsOf(row, group)}
                    value={partState(row, restrictions)}
                    onChange={(state) => restrict(withState(row, state, restrictions))}
                  />
                ))}
              </div>
            </details>
          ))}
        </div>
        <p class="note">
          Locks guide, they do not protect: anyone can remove them by editing the link. Hidden values of x, w, b and dy
          are in the link. Hidden results are not on the page until they are revealed. To prevent that, lock “revealing
          values”.
        </p>
        <div class="share__bar wrap share__bar--end">
          <Button kind="primary" disabled={href === undefined} onClick={() => void copy('Link', href ?? '')}>
            Copy link
          </Button>
          {href !== undefined && (
            <a class="button button--plain" href={href} target="_blank" rel="noopener">
              Preview as a student (new tab)
            </a>
          )}
          {outcome}
          <p class="note" role="status">
            {link && sizeText(link)}
          </p>
        </div>
      </div>
    </Sheet>
  );
}

const optionsOf = (
  { lock, hide }: Row,
  { hidden = 'hidden' }: Group,
): readonly { value: PartState; label: string }[] => [
  { value: 'free', label: 'normal' },
  ...(lock === undefined ? [] : [{ value: 'locked' as const, label: 'locked' }]),
  ...(hide === undefined ? [] : [{ value: 'hidden' as const, label: hidden }]),
];

/** "2 locked, 1 hidden" */
function countsText({ rows, hidden = 'hidden' }: Group, restrictions: Restrictions): string {
  const states = rows.map((row) => partState(row, restrictions));
  const words = { locked: 'locked', hidden } as const;
  const counts = (['locked', 'hidden'] as const).flatMap((state) => {
    const { length } = states.filter((each) => each === state);
    return length > 0 ? [`${length} ${words[state]}`] : [];
  });
  return counts.join(', ') || 'normal';
}

function sizeText({ hash, omitted }: PackedLink): string {
  const { length } = fullUrl(hash);
  const cut = length > URL_LIMITS.mostly ? ', too many for some apps' : '';
  const left = omitted.length > 0 ? ` It omits the values of ${omitted.join(', ')}: there are too many.` : '';
  return `The link has ${length.toLocaleString('en')} characters${cut}.${left}`;
}

/** State of a part of the page for the students. */
type PartState = 'free' | 'locked' | 'hidden';

export type Restrictions = Pick<Look, 'locked' | 'hiddenParts' | 'hiddenCells'>;

/** A row of the dialog: its label, and its names in a link. */
interface Row {
  readonly label: string;
  readonly lock?: Lockable;
  readonly hide?: Hideable | { readonly tensor: TensorName };
}

interface Group {
  readonly title: string;
  /** Label of the state "hidden"; default: "hidden". */
  readonly hidden?: string;
  readonly rows: readonly Row[];
}

/** What a lesson often needs. The state of a row, else of its group, else "free"; a part that cannot be locked stays free. */
export const PRESETS: readonly {
  readonly title: string;
  readonly words: string;
  readonly states: Readonly<Record<string, PartState>>;
}[] = [
  { title: 'Explore', words: 'Students can change and see everything.', states: {} },
  {
    title: 'Guided',
    words: 'Sizes are locked. Students see this view alone.',
    states: { Views: 'hidden', Sizes: 'locked' },
  },
  {
    title: 'Exam',
    words: 'As Guided. Values are locked, and results are shown as ?, without a way to reveal them.',
    states: {
      ...{ Views: 'hidden', Sizes: 'locked', Values: 'locked', 'Value menus': 'hidden', Examples: 'hidden' },
      ...{ y: 'hidden', dx: 'hidden', dw: 'hidden', db: 'hidden', 'revealing values': 'locked' },
    },
  },
];

export const presetRestrictions = (
  groups: readonly Group[],
  states: Readonly<Record<string, PartState>>,
  before: Restrictions,
): Restrictions =>
  groups
    .flatMap(({ title, rows }) => rows.map((row) => ({ row, state: states[row.label] ?? states[title] ?? 'free' })))
    .reduce((restrictions, { row, state }) => withState(row, state, restrictions), before);

const partRow = (words: string, part: string): Row => ({
  label: words,
  ...(isLockable(part) ? { lock: part } : {}),
  ...(isHideable(part) ? { hide: part } : {}),
});

const tensorRow = (tensor: TensorName): Row => ({ ...partRow(tensor, tensor), hide: { tensor } });

/**
 * The view state for students. With questions, it opens the first one. A hidden value is answered in the Explain tab, so a
 * link with hidden values opens it at one of them, unless a lesson is open or the tab is hidden.
 */
export function restrictedLook(
  look: Look,
  restrictions: Restrictions,
  questions: readonly TeacherQuestion[] = [],
  geometry: Geometry | null = null,
): Look {
  const { hiddenCells, hiddenParts } = restrictions;
  const at = (cell: Cell | null): Pick<Look, 'pinned' | 'focus'> =>
    cell ? { pinned: cell, focus: geometry ? focusOn(geometry, cell, look.focus) : look.focus } : look;
  if (questions.length > 0) {
    const cells = questions.flatMap(({ cell }) => (cell && !isHiddenIn(hiddenCells, cell) ? [cell] : []));
    return {
      ...{ ...look, ...restrictions, ...at(questions[0]?.cell ?? null) },
      ...{ questions, lesson: `${OWN_SET}.1`, side: 'lesson' },
      ...{ answers: null, student: null, seed: null, date: null, digest: null },
      hiddenCells: [...hiddenCells, ...cells],
      hiddenParts: hiddenParts.filter((part) => part !== 'side.lesson'),
    };
  }
  const asks = hiddenCells.length > 0 && look.lesson === null && !hiddenParts.includes('side.explain');
  if (!asks) return { ...look, ...restrictions };
  // A cell of a network is not one of the open layer.
  const [first] = hiddenCells.filter((one): one is AnyCell => !/\d$/.test(one.tensor));
  const hidden =
    first &&
    (look.pinned && isHiddenIn(hiddenCells, look.pinned) ? look.pinned : { ...first, index: first.index ?? 0 });
  return { ...look, ...restrictions, ...at(hidden ?? null), side: 'explain' };
}

type AnyCell = Hidden & Pick<Cell, 'tensor'>;

const isHiddenIn = (hiddenCells: Look['hiddenCells'], { tensor, index }: Cell): boolean =>
  hiddenCells.some((one) => one.tensor === tensor && (one.index ?? index) === index);

/** All groups of the dialog. The open view cannot be hidden. */
export const groupsOf = (mode: Look['mode'], tabs: readonly Pick<SideTab, 'id' | 'title'>[]): readonly Group[] => [
  { title: 'Views', rows: VIEWS.filter(({ id }) => id !== mode).map(({ id, title }) => partRow(title, `mode.${id}`)) },
  { title: 'Sizes', rows: SIZE_PARTS.map((part) => partRow(part, part)) },
  { title: 'Values', hidden: 'shown as ?', rows: TENSORS.map(tensorRow) },
  { title: 'Value menus', rows: INPUTS.map((input) => ({ label: `for ${input}`, hide: `values.${input}` as const })) },
  {
    title: 'Panels',
    rows: [{ label: 'all controls', hide: 'controls' }, ...tabs.map(({ id, title }) => partRow(title, `side.${id}`))],
  },
  {
    title: 'Actions',
    rows: [
      partRow('Start here', 'lessons'),
      partRow('Examples', 'examples'),
      partRow('Undo', 'undo'),
      partRow('Redo', 'redo'),
      partRow('Copy link', 'copy-link'),
      partRow('Export', 'export'),
      { label: 'revealing values', lock: 'hide' },
    ],
  },
];

export function partState({ lock, hide }: Row, { locked, hiddenParts, hiddenCells }: Restrictions): PartState {
  if (typeof hide === 'string' ? hiddenParts.includes(hide) : hiddenCells.some((one) => isWhole(one, hide)))
    return 'hidden';
  return lock !== undefined && locked.includes(lock) ? 'locked' : 'free';
}

export function withState({ lock, hide }: Row, state: PartState, restrictions: Restrictions): Restrictions {
  const locked = restrictions.locked.filter((name) => name !== lock);
  const hiddenParts = restrictions.hiddenParts.filter((name) => name !== hide);
  const hiddenCells =
    typeof hide === 'object' ? restrictions.hiddenCells.filter((one) => !isWhole(one, hide)) : restrictions.hiddenCells;
  if (state === 'locked' && lock !== undefined) return { locked: [...locked, lock], hiddenParts, hiddenCells };
  if (state !== 'hidden' || hide === undefined) return { locked, hiddenParts, hiddenCells };
  return typeof hide === 'string'
    ? { locked, hiddenParts: [...hiddenParts, hide], hiddenCells }
    : { locked, hiddenParts, hiddenCells: [...hiddenCells, { tensor: hide.tensor, index: null }] };
}

type HiddenEntry = Look['hiddenCells'][number];

const isWhole = ({ tensor, index }: HiddenEntry, hide: { readonly tensor: TensorName } | undefined): boolean =>
  index === null && tensor === hide?.tensor;
