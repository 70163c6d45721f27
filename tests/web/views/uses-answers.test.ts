import { expect, it } from 'vitest';
import { VIEWS } from '../../../web/src/views/list';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';

it.each(VIEWS)('$title has the correct `usesAnswers` in the list of views', async ({ load, usesAnswers }) => {
  const { needs } = await load();
  expect(needs(alone(geometryOf(makeDesc())), {}).length > 0).toBe(usesAnswers !== false);
});
