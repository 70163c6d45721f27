import { SIZE_PARTS } from '../protocol/size-table';
import { INPUTS } from '../protocol/tensors';
import { MODES, SIDES } from './look';

/** Parts of the page that a link can lock or hide. Their names are written in links. */

/** Values of a tensor: its cells and its source. */
const VALUES = ['values.x', 'values.w', 'values.b', 'values.dy'] as const;
/** Commands by id. "controls" is also the whole column; "hide" is also the command that reveals a value. */
const COMMANDS = ['lessons', 'examples', 'undo', 'redo', 'copy-link', 'export', 'hide', 'controls'] as const;

/** Parts that a running exercise locks, because its question depends on them. */
export const IN_EXERCISES: readonly string[] = [...SIZE_PARTS, ...INPUTS];

const MODE_PARTS = MODES.map((mode) => `mode.${mode}` as const);
const SIDE_PARTS = SIDES.map((side) => `side.${side}` as const);

export const LOCKABLE = [...MODE_PARTS, ...SIZE_PARTS, ...INPUTS, ...COMMANDS] as const;
/** Values are hidden by tensor or cell instead (look.masked). */
export const HIDEABLE = [...MODE_PARTS, ...SIDE_PARTS, ...SIZE_PARTS, ...VALUES, ...COMMANDS] as const;

export type Lockable = (typeof LOCKABLE)[number];
export type Hideable = (typeof HIDEABLE)[number];

export const isLockable = (name: string): name is Lockable => LOCKABLE.some((part) => part === name);
export const isHideable = (name: string): name is Hideable => HIDEABLE.some((part) => part === name);
