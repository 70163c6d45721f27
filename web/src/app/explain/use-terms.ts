import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ComputeClient } from '../../compute/client';
import { indexForm, type TermForm } from '../../geometry/labels';
import { terms } from '../../geometry/terms';
import type { Cell } from '../../protocol/cell';
import type { Geometry, TensorName } from '../../protocol/problem';

/** The terms of one cell's sum, with the products that the library made of them. */
export interface Explanation {
  readonly terms: readonly TermForm[];
  readonly bias: { readonly cell: Cell; readonly label: string } | null;
  readonly total: number;
  readonly inPadding: number;
  readonly unmetTaps: number;
  /** One a term; null until the library has answered. */
  readonly products: Float32Array | null;
  /** Of all products; null until known, and when only the first of them were asked for. */
  readonly sum: number | null;
}

/** More terms than this say nothing to a reader, and a dw cell of an image has a million. */
const MOST_TERMS = 400;

interface Answer {
  readonly key: object;
  readonly products: Float32Array;
  readonly sum: number;
}

const TENSORS: ReadonlySet<string> = new Set<TensorName>(['x', 'w', 'b', 'y', 'dy', 'dx', 'dw', 'db']);

function isTensor(name: string): name is TensorName {
  return TENSORS.has(name);
}

/** Null for cells that are given. `revision` names the result that the library is asked about. */
export function useTerms(client: ComputeClient, g: Geometry, cell: Cell, revision: number): Explanation | null {
  const { tensor, index } = cell;
  const page = useMemo(() => terms(g, { tensor, index }, { offset: 0, limit: MOST_TERMS }), [g, tensor, index]);
  const form = useMemo(() => page && indexForm(g, page, MOST_TERMS), [g, page]);
  const [answer, setAnswer] = useState<Answer | null>(null);

  useEffect(() => {
    if (!page || page.b === null || !isTensor(page.a) || !isTensor(page.b) || page.index_a.length === 0) return;
    let wanted = true;
    const { a, b, index_a, index_b } = page;
    void client.ask({ type: 'products', revision, a, b, index_a, index_b }).then((outcome) => {
      if (wanted && outcome.status === 'done') setAnswer({ key: page, ...outcome.result });
    });
    return () => {
      wanted = false;
    };
  }, [client, page, revision]);

  if (!page || !form) return null;
  const known = answer?.key === page ? answer : null;
  return {
    terms: form.terms,
    bias: form.bias,
    total: page.total,
    inPadding: page.inPadding,
    unmetTaps: page.unmetTaps,
    products: known?.products ?? null,
    sum: known && page.total === page.index_a.length ? known.sum : null,
  };
}
