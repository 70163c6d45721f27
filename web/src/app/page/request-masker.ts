import { effect } from '@preact/signals';
import type { LookStore } from '../../look/look-store';
import type { Hidden } from '../../protocol/cell';
import type { ComputeRequest } from '../../protocol/messages';
import type { ConvDesc, Geometry } from '../../protocol/problem';
import type { InputName } from '../../protocol/tensors';
import { cellsIn } from '../../state/edits';
import type { Store } from '../../state/store-types';
import { hasHiddenValues } from '../../ui/numbers';

/** The input of the same shape. */
const SAME_SHAPE: Readonly<Record<string, InputName>> = { y: 'dy', dx: 'x', dw: 'w', db: 'b' };

/** Cells stay hidden at their position when sizes change. An intermediate matrix is then hidden as a whole. */
function moved(hidden: readonly Hidden[], from: Geometry, desc: ConvDesc): readonly Hidden[] {
  const next = hidden.flatMap(({ tensor, index }): readonly Hidden[] => {
    if (index === null) return [{ tensor, index }];
    if (tensor.includes('_')) return [{ tensor, index: null }];
    const input = SAME_SHAPE[tensor] ?? (tensor as InputName);
    return cellsIn(desc, { tensor: input, indices: [index], geometry: from }).map((at) => ({ tensor, index: at }));
  });
  return JSON.stringify(next) === JSON.stringify(hidden) ? hidden : next;
}

/** Adds the hidden cells to each request: those of the look at the time of the request, in the sizes of the request. */
export function createRequestMasker(store: Store, look: LookStore): (request: ComputeRequest) => ComputeRequest {
  /** Hidden cells in the look at the last request, and the same cells in its sizes. */
  let requested = look.masked.peek();
  let sent = requested;
  /** The geometry that the cells of `masked` address, once a result with it is shown. */
  let addressed: { readonly masked: readonly Hidden[]; readonly geometry: Geometry } | null = null;
  effect(() => {
    const shown = store.shown.value;
    hasHiddenValues.value = shown?.result.hides === true;
    if (shown && look.masked.peek() === requested && shown.problem === store.problem.peek()) {
      requested = sent;
      look.masked.value = sent;
      addressed = { masked: sent, geometry: shown.result.geometry };
    }
    if (look.masked.value !== requested) store.retry();
  });
  return (request) => {
    requested = look.masked.peek();
    sent = addressed?.masked === requested ? moved(requested, addressed.geometry, request.desc) : requested;
    return sent.length > 0 ? { ...request, hidden: sent } : request;
  };
}
