import { signal } from '@preact/signals';
import { render } from 'preact';
import { ExplainCell } from '../../../web/src/app/explain/ExplainTab';
import type { Page } from '../../../web/src/app/page/page';
import type { CommandContext } from '../../../web/src/commands/command';
import { linksOf } from '../../../web/src/geometry/links';
import type { Content } from '../../../web/src/protocol/messages';
import type { Cell, Geometry, Tensor } from '../../../web/src/protocol/problem';
import type { ViewEvents } from '../../../web/src/views/shared/scene';
import { makeDesc } from '../contract/requests';
import { geometryOf } from '../geometry/arbitrary-geometry';
import { alone } from '../support/alone';
import type { SlowClient } from './fake-questions';

const geometry: Geometry = geometryOf(makeDesc());

/** Revision r: every cell of x is r and every weight is 1, so the sum of the 9 products is y = 9 * r. */
export function contentOf(revision: number): Content {
  const tensor = (shape: Tensor['shape'], value: number): Tensor => ({
    shape,
    data: new Float32Array(shape[0] * shape[1] * shape[2] * shape[3]).fill(value),
    stats: { min: value, max: value, max_abs: value, not_finite: 0 },
  });
  const tensors = {
    x: tensor([1, 4, 4, 1], revision),
    w: tensor([3, 3, 1, 1], 1),
    y: tensor([1, 2, 2, 1], 9 * revision),
  };
  return alone(geometry, { revision, tensors });
}

/** Renders the explanation of a pinned cell of `content`, next to a view that shows revision `beside`. */
export function explain(
  root: Element,
  client: SlowClient,
  cell: Cell,
  content: Content,
  shownRevision: number | null,
): void {
  render(
    <ExplainCell
      page={
        {
          client,
          store: { problem: signal(null) },
          look: {
            hiddenCells: signal([]),
            locked: signal([]),
            hiddenParts: signal([]),
            focus: signal({ n: 0, c: 0, k: 0 }),
            noHintYet: signal(false),
          },
        } as unknown as Page
      }
      content={content}
      highlights={{ cell, pinned: true, term: [], ...linksOf(geometry, cell) }}
      shownRevision={shownRevision}
      context={{} as unknown as CommandContext}
      events={{} as unknown as ViewEvents}
    />,
    root,
  );
}
