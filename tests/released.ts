import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a release. `npm run release` sets it: the tests of packages then use its artifacts in place of the builds. */
export const RELEASE = process.env['CONV2D_RELEASE'];

/** The artifact of the release with this ending. Undefined without a release; an error if the release lacks it. */
export function released(ending: string): string | undefined {
  if (RELEASE === undefined) return undefined;
  const [found] = readdirSync(RELEASE).filter((name) => name.endsWith(ending));
  if (found === undefined) throw new Error(`${RELEASE} has no file that ends in ${ending}`);
  return join(RELEASE, found);
}
