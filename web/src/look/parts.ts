import { MODES, SIDES } from './look';

/** Parts of the page that whoever makes a link may lock, so that nothing is changed there, or hide. Their names stand in links. */

/** Of the controls; those of a tensor's numbers are called after the tensor where they are locked. */
const SIZES = [
  ...(['padding', 'stride', 'dilation'] as const),
  ...(['height', 'width', 'channels', 'batch'] as const),
  ...(['kernel', 'filters', 'groups'] as const),
] as const;
export type SizePart = (typeof SIZES)[number];

/** Their numbers: cells, and where they come from. */
const INPUTS = ['x', 'w', 'b', 'dy'] as const;
const VALUES = ['values.x', 'values.w', 'values.b', 'values.dy'] as const;
/** Commands by their ids; "controls" is the whole column, too, and "hide" what reveals a hidden number. */
const COMMANDS = ['lessons', 'examples', 'undo', 'redo', 'copy-link', 'export', 'hide', 'controls'] as const;

const MODE_PARTS = MODES.map((mode) => `mode.${mode}` as const);
const SIDE_PARTS = SIDES.map((side) => `side.${side}` as const);

export const LOCKABLE = [...MODE_PARTS, ...SIZES, ...INPUTS, ...COMMANDS] as const;
/** Numbers are hidden by the name of their tensor or cell (look.masked). */
export const HIDEABLE = [...MODE_PARTS, ...SIDE_PARTS, ...SIZES, ...VALUES, ...COMMANDS] as const;

export type Lockable = (typeof LOCKABLE)[number];
export type Hideable = (typeof HIDEABLE)[number];

export const isLockable = (name: string): name is Lockable => LOCKABLE.some((part) => part === name);
export const isHideable = (name: string): name is Hideable => HIDEABLE.some((part) => part === name);
