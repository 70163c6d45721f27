import { join } from 'node:path';

/** The page in one file, which the suites build (tools/test/suites.mjs). */
export const SINGLE_FILE = join(import.meta.dirname, '../build/single/conv2d.html');
