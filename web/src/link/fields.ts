import type { Field } from './field';
import { LOOK_FIELDS } from './look-fields';
import { INPUT_FIELDS, SIZE_FIELDS } from './problem-fields';

/** All fields of a link, in the order of writing and reading: inputs need the sizes. */
export const FIELDS: readonly Field[] = [...SIZE_FIELDS, ...INPUT_FIELDS, ...LOOK_FIELDS];

/** The version that is written. Reading goes by keys only; the version is used to warn about links of newer pages. */
export const LINK_VERSION = 2;
