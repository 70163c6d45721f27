import { effect } from '@preact/signals';
import type { LookStore } from '../look/look-store';
import type { Hidden } from '../protocol/cell';
import type { ComputeRequest } from '../protocol/messages';
import type { ConvDesc, Geometry } from '../protocol/problem';
import { cellsIn } from '../state/addressed';
import type { InputName } from '../state/problem';
import type { Store } from '../state/store-types';
import { hiding } from '../ui/numbers';

/** The input whose cells lie as those of a tensor. */
const TWINS: Readonly<Record<string, InputName>> = { y: 'dy', dx: 'x', dw: 'w', db: 'b' };

/** A hidden cell keeps its place when the sizes change, as every cell does. Of a stage all is hidden then. */
function moved(hidden: readonly Hidden[], from: Geometry, desc: ConvDesc): readonly Hidden[] {
  const next = hidden.flatMap(({ tensor, index }): readonly Hidden[] => {
    if (index === null) return [{ tensor, index }];
    if (tensor.includes('_')) return [{ tensor, index: null }];
    const twin = TWINS[tensor] ?? (tensor as InputName);
    return cellsIn(desc, { tensor: twin, indices: [index], geometry: from }).map((at) => ({ tensor, index: at }));
  });
  return JSON.stringify(next) === JSON.stringify(hidden) ? hidden : next;
}

/** What the worker is told to hide: every picture has what the look hid when it was asked for, in the sizes it was asked for. */
export function hidingOf(store: Store, look: LookStore): (request: ComputeRequest) => ComputeRequest {
  /** What the look had when a picture was asked for last, and what that comes to in its sizes. */
  let wanted = look.masked.peek();
  let sent = wanted;
  /** The sizes that the cells of a look address, once they have been seen. */
  let addressed: { readonly masked: readonly Hidden[]; readonly geometry: Geometry } | null = null;
  effect(() => {
    const shown = store.shown.value;
    hiding.value = shown?.result.hides === true;
    if (shown && look.masked.peek() === wanted && shown.problem === store.problem.peek()) {
      wanted = sent;
      look.masked.value = sent;
      addressed = { masked: sent, geometry: shown.result.geometry };
    }
    if (look.masked.value !== wanted) store.retry();
  });
  return (request) => {
    wanted = look.masked.peek();
    sent = addressed?.masked === wanted ? moved(wanted, addressed.geometry, request.desc) : wanted;
    return sent.length > 0 ? { ...request, hidden: sent } : request;
  };
}
