import { join } from 'node:path';
import { released } from './released';

/** The page in one file: that of a release, or the one that the suites build (tools/test/suites.mjs). */
export const SINGLE_FILE = released('.html') ?? join(import.meta.dirname, '../build/single/conv2d.html');
