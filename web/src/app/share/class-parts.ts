import type { Look } from '../../look/look';
import { type Hideable, isHideable, isLockable, type Lockable } from '../../look/parts';
import type { TensorName } from '../../protocol/problem';
import { VIEWS } from '../../views/list';
import { SIDE_TABS } from '../side/list';

/** What can be done about a part of the page, for who opens a link. */
export type State = 'free' | 'locked' | 'hidden';

export type Prepared = Pick<Look, 'locked' | 'absent' | 'masked'>;

/** A row of the panel: what it is called, and the names that it has in a link. */
export interface Row {
  readonly words: string;
  readonly lock?: Lockable;
  readonly hide?: Hideable | { readonly tensor: TensorName };
}

export interface Group {
  readonly title: string;
  /** What hiding comes to. */
  readonly hidden: string;
  readonly rows: readonly Row[];
}

const both = (words: string, part: string): Row => ({
  words,
  ...(isLockable(part) ? { lock: part } : {}),
  ...(isHideable(part) ? { hide: part } : {}),
});

const numbers = (tensor: TensorName): Row => ({
  words: tensor,
  ...(isLockable(tensor) ? { lock: tensor } : {}),
  hide: { tensor },
});

/** THE LIST. The view that is open stays. */
export const groupsOf = (mode: Look['mode']): readonly Group[] => [
  {
    title: 'Views',
    hidden: 'not there',
    rows: VIEWS.filter(({ id }) => id !== mode).map(({ id, title }) => both(title, `mode.${id}`)),
  },
  {
    title: 'Sizes',
    hidden: 'not there',
    rows: [
      ...['padding', 'stride', 'dilation', 'height', 'width', 'channels', 'batch', 'kernel', 'filters', 'groups'],
    ].map((part) => both(part, part)),
  },
  {
    title: 'Numbers',
    hidden: 'shown as ?',
    rows: (['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db'] as const).map(numbers),
  },
  {
    title: 'Menus of numbers',
    hidden: 'not there',
    rows: (['x', 'w', 'b', 'dy'] as const).map((input) => ({
      words: `for ${input}`,
      hide: `values.${input}` as const,
    })),
  },
  {
    title: 'Beside the stage',
    hidden: 'not there',
    rows: [{ words: 'all controls', hide: 'controls' }, ...SIDE_TABS.map(({ id, title }) => both(title, `side.${id}`))],
  },
  {
    title: 'Ways to do things',
    hidden: 'not there',
    rows: [
      both('Start here', 'lessons'),
      both('Examples', 'examples'),
      both('Undo', 'undo'),
      both('Redo', 'redo'),
      both('Copy link', 'copy-link'),
      both('Export', 'export'),
      { words: 'revealing hidden numbers', lock: 'hide' },
    ],
  },
];

export function stateOf({ lock, hide }: Row, { locked, absent, masked }: Prepared): State {
  if (typeof hide === 'string' ? absent.includes(hide) : masked.some((one) => isWhole(one, hide))) return 'hidden';
  return lock !== undefined && locked.includes(lock) ? 'locked' : 'free';
}

export function withState({ lock, hide }: Row, state: State, prepared: Prepared): Prepared {
  const locked = prepared.locked.filter((name) => name !== lock);
  const absent = prepared.absent.filter((name) => name !== hide);
  const masked = typeof hide === 'object' ? prepared.masked.filter((one) => !isWhole(one, hide)) : prepared.masked;
  if (state === 'locked' && lock !== undefined) return { locked: [...locked, lock], absent, masked };
  if (state !== 'hidden' || hide === undefined) return { locked, absent, masked };
  return typeof hide === 'string'
    ? { locked, absent: [...absent, hide], masked }
    : { locked, absent, masked: [...masked, { tensor: hide.tensor, index: null }] };
}

type Masked = Look['masked'][number];

const isWhole = ({ tensor, index }: Masked, hide: { readonly tensor: TensorName } | undefined): boolean =>
  index === null && tensor === hide?.tensor;
