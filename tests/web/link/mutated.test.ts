import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { packLink } from '../../../web/src/link/compress';
import { parseLink } from '../../../web/src/link/parse-link';
import { readLink } from '../../../web/src/link/read-link';
import { writeLink } from '../../../web/src/link/write-link';
import { AT_ONCE, checkDesc, isMore, workOf } from '../../../web/src/protocol/shapes';
import { loadSamples } from '../../../web/src/sources/tensor-sources';
import { THOROUGH } from '../../thorough';
import { layerOf } from '../support/problems';
import { mutatedLinks } from './mutated-links';

beforeAll(loadSamples);

/** Ten seconds of processor time. */
const LINKS = THOROUGH ? 10_000 : 1000;

test(`of ${LINKS} mutated links none hangs, throws, or is refused without a sentence`, async () => {
  const counts = { opened: 0, refused: 0, costly: 0, complained: 0, packed: 0 };
  await fc.assert(
    fc.asyncProperty(mutatedLinks, async (hash) => {
      const parsed = await readLink(hash);
      const { fault, costs, complaints, problem } = parsed;
      expect(fault).not.toBe('unread');
      expect(complaints.length).toBeLessThanOrEqual(10);
      expect(complaints.join(' ').length).toBeLessThan(3000);
      if (fault === 'refused')
        expect(complaints[0]).toMatch(/^The link was not opened: .*\.$|is unknown and was ignored\.$/);
      expect(fault === 'costly').toBe(costs !== null && isMore(costs, AT_ONCE));
      expect(checkDesc(layerOf(problem).desc)).toBeNull();
      expect(isMore(workOf(layerOf(problem).desc), AT_ONCE)).toBe(false);
      // A link that opens can be written and opens again without complaints.
      if (fault === null) expect(parseLink(writeLink(parsed).hash).complaints).toEqual([]);
      if (parsed.packed) expect((await readLink((await packLink(parsed)).hash)).complaints).toEqual([]);
      counts.packed += Number(parsed.packed);
      if (fault === null) counts.opened += 1;
      else counts[fault === 'costly' ? 'costly' : 'refused'] += 1;
      if (fault === null && complaints.length > 0) counts.complained += 1;
    }),
    { numRuns: LINKS, seed: 13 },
  );
  console.info(JSON.stringify(counts));
  // The mutations reach every outcome.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
}, 120_000);
