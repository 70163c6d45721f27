import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { ComputeClient } from '../../compute/client';
import type { ClientStatus } from '../../compute/status';
import { type Address, createAddress } from '../../link/address';
import type { ParsedLink } from '../../link/parse-link';
import { createLook, type LookStore } from '../../look/look-store';
import type { Tensor, TensorName } from '../../protocol/problem';
import { type DySource, dyEntry } from '../../sources/dy-sources';
import { lockError } from '../../state/locks';
import { isPhoto } from '../../state/problem';
import { createStore } from '../../state/store';
import type { ShownResult, Store } from '../../state/store-types';
import type { Content } from '../../views/kit/scene';
import { kitParts } from '../../views/kit/second';
import { followsDrags } from '../../views/list';
import { createImageInputState, type ImageInputState } from './image-context';
import { createRequestMasker } from './request-masker';

/** The parts of the running page. */
export interface Page {
  readonly store: Store;
  readonly client: ComputeClient;
  readonly status: ReadonlySignal<ClientStatus>;
  readonly look: LookStore;
  readonly address: Address;
  readonly images: ImageInputState;
  /** The content of the views, without their layout; null while there is no result. */
  readonly scene: ReadonlySignal<Content | null>;
}

export function createPage(page: Window, opened: ParsedLink): Page {
  const client = new ComputeClient();
  const status = signal(client.status);
  client.subscribe((next) => {
    status.value = next;
  });
  const look = createLook(() => kitParts.value?.linksOf ?? null, opened.look);
  if (opened.suggested) look.suggest(opened.suggested);
  const store = createStore(opened.problem, {
    snapshots: look,
    guard: (before, after) => lockError(look.locked.peek(), before, after, look.exercise.peek()),
  });
  let last: Content | null = null;
  const scene = computed(() => {
    last = store.shown.value && sceneOf(store.shown.value, last);
    return last;
  });
  scene.subscribe((content) => look.setGeometry(content?.geometry ?? null, content !== null && content.loss !== null));
  const hidden = createRequestMasker(store, look);
  store.connect(
    (request) => client.compute(hidden(request)),
    () => followsDrags(look.mode.peek()),
  );
  const address = createAddress(store, look, opened, page);
  return { store, client, status, look, address, images: createImageInputState(), scene };
}

/** The inputs and outputs of a result. Unchanged parts keep their object identity. */
function sceneOf({ problem, result }: ShownResult, last: Content | null): Content {
  const { desc, x, w, b } = problem;
  const { input_stats: stats } = result;
  const geometry = last && isSame(last.geometry, result.geometry) ? last.geometry : result.geometry;
  const tensors: Partial<Record<TensorName, Tensor>> = {
    ...result.tensors,
    x: result.tensors.x ?? { shape: x.shape, data: x.data, stats: stats.x },
    w: result.tensors.w ?? { shape: w.shape, data: w.data, stats: stats.w },
  };
  if (b && stats.b) tensors.b ??= { shape: b.shape, data: b.data, stats: stats.b };
  return {
    geometry,
    desc,
    tensors: reuse(tensors, last?.tensors ?? {}),
    photo: isPhoto(x.source),
    loss: lossOf(problem.dy, result.loss),
    revision: result.revision,
    runs: result.runs,
  };
}

function lossOf(source: DySource, value: number | null): Content['loss'] {
  const loss = dyEntry(source).loss;
  if (!loss || loss.name === 'linear' || value === null) return null;
  return { kind: loss.name, value, target: loss.target(source) };
}

/** Reuses the previous tensors that are bit-identical: they are then neither rendered nor painted again. */
function reuse<Tensors extends Partial<Record<string, Tensor>>>(now: Tensors, before: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(now).map(([name, tensor]) => {
      const old = before[name];
      return [
        name,
        tensor && old && isSame(old.shape, tensor.shape) && isSameData(old.data, tensor.data) ? old : tensor,
      ];
    }),
  ) as Tensors;
}

/** For plain data with the same members in the same order. */
const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Compares bits: NaN equals itself, and +0 and −0 differ. */
function isSameData(a: Float32Array, b: Float32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  const left = new Int32Array(a.buffer, a.byteOffset, a.length);
  const right = new Int32Array(b.buffer, b.byteOffset, b.length);
  let i = 0;
  while (i < left.length && left[i] === right[i]) i += 1;
  return i === left.length;
}
