import type { Field } from './field';
import { INPUT_FIELDS } from './input-fields';
import { LOOK_FIELDS } from './look-fields';
import { SIZE_FIELDS } from './size-fields';

/** THE LIST of what a link can say, in the order in which it is written and read: inputs need the sizes. */
export const FIELDS: readonly Field[] = [...SIZE_FIELDS, ...INPUT_FIELDS, ...LOOK_FIELDS];

/** The version that is written. Readers go by keys alone; it tells people of a newer page that something may be missing. */
export const LINK_VERSION = 2;
