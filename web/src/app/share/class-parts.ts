import { type Hideable, isHideable, isLockable, type Lockable, type Look } from '../../look/look';
import type { TensorName } from '../../protocol/problem';
import { SIZE_PARTS } from '../../protocol/size-table';
import { INPUTS, TENSORS } from '../../protocol/tensors';
import { VIEWS } from '../../views/list';
import { SIDE_TABS } from '../side/SidePanel';

/** State of a part of the page for the students. */
export type PartState = 'free' | 'locked' | 'hidden';

export type Restrictions = Pick<Look, 'locked' | 'absent' | 'masked'>;

/** A row of the dialog: its label, and its names in a link. */
export interface Row {
  readonly label: string;
  readonly lock?: Lockable;
  readonly hide?: Hideable | { readonly tensor: TensorName };
}

export interface Group {
  readonly title: string;
  /** Label of the state "hidden"; default: "hidden". */
  readonly hidden?: string;
  readonly rows: readonly Row[];
}

const partRow = (words: string, part: string): Row => ({
  label: words,
  ...(isLockable(part) ? { lock: part } : {}),
  ...(isHideable(part) ? { hide: part } : {}),
});

const tensorRow = (tensor: TensorName): Row => ({
  label: tensor,
  ...(isLockable(tensor) ? { lock: tensor } : {}),
  hide: { tensor },
});

/**
 * The view state for students. Hidden values are answered in the Explain tab, so a link with hidden values opens it, unless a
 * lesson is open or the tab is hidden.
 */
export function restrictedLook(look: Look, restrictions: Restrictions): Look {
  const asks = restrictions.masked.length > 0 && look.lesson === null && !restrictions.absent.includes('side.explain');
  return { ...look, ...restrictions, side: asks ? 'explain' : look.side };
}

/** All groups of the dialog. The open view cannot be hidden. */
export const groupsOf = (mode: Look['mode']): readonly Group[] => [
  {
    title: 'Views',
    rows: VIEWS.filter(({ id }) => id !== mode).map(({ id, title }) => partRow(title, `mode.${id}`)),
  },
  { title: 'Sizes', rows: SIZE_PARTS.map((part) => partRow(part, part)) },
  { title: 'Values', hidden: 'shown as ?', rows: TENSORS.map(tensorRow) },
  { title: 'Value menus', rows: INPUTS.map((input) => ({ label: `for ${input}`, hide: `values.${input}` as const })) },
  {
    title: 'Panels',
    rows: [
      { label: 'all controls', hide: 'controls' },
      ...SIDE_TABS.map(({ id, title }) => partRow(title, `side.${id}`)),
    ],
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

export function stateOf({ lock, hide }: Row, { locked, absent, masked }: Restrictions): PartState {
  if (typeof hide === 'string' ? absent.includes(hide) : masked.some((one) => isWhole(one, hide))) return 'hidden';
  return lock !== undefined && locked.includes(lock) ? 'locked' : 'free';
}

export function withState({ lock, hide }: Row, state: PartState, restrictions: Restrictions): Restrictions {
  const locked = restrictions.locked.filter((name) => name !== lock);
  const absent = restrictions.absent.filter((name) => name !== hide);
  const masked =
    typeof hide === 'object' ? restrictions.masked.filter((one) => !isWhole(one, hide)) : restrictions.masked;
  if (state === 'locked' && lock !== undefined) return { locked: [...locked, lock], absent, masked };
  if (state !== 'hidden' || hide === undefined) return { locked, absent, masked };
  return typeof hide === 'string'
    ? { locked, absent: [...absent, hide], masked }
    : { locked, absent, masked: [...masked, { tensor: hide.tensor, index: null }] };
}

type Masked = Look['masked'][number];

const isWhole = ({ tensor, index }: Masked, hide: { readonly tensor: TensorName } | undefined): boolean =>
  index === null && tensor === hide?.tensor;
