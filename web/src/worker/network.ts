import { SessionHeap } from '../engine/session-heap';
import {
  ConvFailure,
  checkFields,
  checkFloats,
  checkLength,
  checkList,
  plainGeometry,
  refuse,
} from '../engine/validate';
import type { ComputeRequest, ComputeResult, DySource, ModuleVariant } from '../protocol/messages';
import {
  descOn,
  type LayerResult,
  type NetworkResult,
  ownerOf,
  type PlaneSizes,
  type SentLayer,
  sizesOfShape,
} from '../protocol/network';
import { type Hidden, NO_PADDING, type Shape, type Tensor, type TensorName } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { NetworkModule } from '../wasm/module';
import type { OnProgress } from './answerer';
import { Chain, type Slot } from './chain';
import { ChainAnswers } from './chain-answers';
import type { ConvEngine } from './conv-engine';
import { checkDySource, needsOutput, writeDy } from './dy';
import { checkHidden, HiddenCells } from './masks';

/** Networks: the module "network" runs the whole chain, and the page's engine computes the open layer with the x and dy that it has there. */

// One literal import per variant, so that only one is downloaded.
const variants = {
  simd: () => import('../wasm/generated/network-simd.mjs'),
  relaxed: () => import('../wasm/generated/network-relaxed.mjs'),
} as const;

export async function loadNetworkModule(variant: ModuleVariant): Promise<NetworkModule> {
  const { default: createModule } = await variants[variant]();
  return createModule();
}

let engine: Promise<NetworkEngine> | null = null;

/** The engine of the worker. If its module fails to load, the next call tries again. */
export function networkEngine(variant: ModuleVariant): Promise<NetworkEngine> {
  engine ??= loadNetworkModule(variant).then((module) => new NetworkEngine(module));
  engine.catch(() => {
    engine = null;
  });
  return engine;
}

/** Sums of larger outputs of average pooling are not sent. */
const MOST_AVERAGES = 2 ** 14;

/** Runs networks in the module "network". Throws ConvFailure. */
export class NetworkEngine {
  #chain: Chain;
  /** For a dy that is no gradient of a loss. */
  #heap: SessionHeap;
  #isEmpty = true;

  constructor(readonly module: NetworkModule) {
    this.#chain = new Chain(module);
    this.#heap = new SessionHeap(module);
  }

  get held(): number {
    return this.module.HEAPU8.length;
  }

  get used(): number {
    return this.module.heap_in_use();
  }

  /** Frees the tensors of the last network: the next problem has one layer. */
  clear(): void {
    if (this.#isEmpty) return;
    this.#isEmpty = true;
    this.#chain.dispose();
    this.#heap.close();
    this.#chain = new Chain(this.module);
    this.#heap = new SessionHeap(this.module);
  }

  /** Computes all layers, then the open one with `engine`; answers to later questions are about that. */
  compute(engine: ConvEngine, request: ComputeRequest, revision: number, onProgress: OnProgress): ComputeResult {
    const { network, ...own } = request;
    engine.beside = this;
    if (!network) return engine.compute(request, revision, onProgress);
    this.#isEmpty = false;
    const { desc, x, w, b, dy } = request;
    if (x === 'resident' || w === 'resident' || b === 'resident' || dy === 'resident') {
      refuse('network', 'a network has no resident tensors');
    }
    checkDySource(dy);
    const open: SentLayer = { kind: 'conv', window: desc, options: {}, w, b };
    const layers: readonly SentLayer[] = [...checkLayers(network.before), open, ...checkLayers(network.after)];
    const at = network.before.length;
    const input = sizesOfShape(desc.layout, network.input);
    const run = () => this.#run(layers, input, checkFloats(x, 'x'), dy);
    const target = 'target' in dy ? dy.target : null;
    const whole = run();
    const [value, gradient] = [whole.values[at], whole.gradients[at + 1]];
    if (!value || !gradient) throw new ConvFailure('internal', '', 'the network has no open layer');
    const ownDy: DySource =
      network.after.length === 0 ? dy : { kind: 'values', shape: gradient.shape, data: gradient.data };
    const answers = new ChainAnswers(this.#chain, { open: at, layers, input, x, target }, run, this.#heap);
    const hiding = request.hidden ? hideInNetwork(this.#heap, whole, request.hidden, at) : null;
    const hidden = hiding && { hidden: hiding.own };
    const result = engine.compute({ ...own, ...hidden, x: value.data, dy: ownDy }, revision, onProgress, answers);
    const shown = hiding?.shown ?? whole;
    const ownX = shown.values[at] ?? value;
    const tensors = at > 0 ? { ...result.tensors, x: { ...ownX, data: ownX.data.slice() } } : result.tensors;
    return { ...result, tensors, network: shown };
  }

  #run(layers: readonly SentLayer[], input: PlaneSizes, x: Float32Array, dy: DySource): NetworkResult {
    const chain = this.#chain;
    chain.set(layers, input, x);
    chain.forward();
    const loss = this.#writeDy(dy, input);
    chain.backward();

    const { rows, end } = chain;
    const shapeBefore = (i: number): Shape => rows[i]?.x_shape ?? end;
    const tensors = (first: Slot, others: Slot): readonly Tensor[] =>
      Array.from({ length: rows.length + 1 }, (_, i) =>
        i === 0 ? chain.read(0, first, shapeBefore(0)) : chain.read(i - 1, others, shapeBefore(i)),
      );
    return {
      values: tensors('x', 'y'),
      gradients: tensors('dx', 'dy'),
      layers: rows.map((row, i) => ({
        geometry: plainGeometry(chain.module, row.geometry),
        ...this.#resultOf(layers[i] as SentLayer, i, row.w_shape, row.geometry.k),
      })),
      loss,
    };
  }

  #resultOf(layer: SentLayer, i: number, w: Shape, k: number): Omit<LayerResult, 'geometry'> {
    const chain = this.#chain;
    const bias: Shape = [1, 1, 1, k];
    const winners = chain.module.chain_winners(chain.handle, i);
    if (winners.length > 0) return { winners: winners.slice() };
    if (layer.kind === 'average_pool') return this.#averages(i);
    if (!layer.w) return {};
    const gradients = { dw: chain.read(i, 'dw', w), db: chain.read(i, 'db', bias) };
    return { w: chain.read(i, 'w', w), ...(layer.b && { b: chain.read(i, 'b', bias) }), ...gradients };
  }

  #averages(i: number): Pick<LayerResult, 'averages'> {
    const { module, handle } = this.#chain;
    const { length } = this.#chain.view(i, 'y');
    if (length > MOST_AVERAGES) return {};
    const cells = Array.from({ length }, (_, index) => module.chain_average_cell(handle, i, index));
    return {
      averages: {
        sums: Float32Array.from(cells, ({ sum }) => sum),
        counts: Int32Array.from(cells, ({ count }) => count),
      },
    };
  }

  /** Writes dy of the last layer; returns the loss, if it is its gradient. */
  #writeDy(source: DySource, input: PlaneSizes): number | null {
    const chain = this.#chain;
    const shape = chain.end;
    const length = shapeSize(shape);
    if (needsOutput(source.kind)) {
      const { kind, target } = source as Extract<DySource, { target: unknown }>;
      if (target) checkLength(target.length, length, 'dy.target');
      chain.write(0, 'target', target ?? new Float32Array(length), length);
      return chain.lossDy(kind);
    }
    // A session with this y: each cell is its own window.
    const plane = sizesOfShape(input.layout, shape);
    const desc = descOn({ ...ONE_CELL, k: plane.c, groups: plane.c }, plane);
    this.#heap.setProblem(desc);
    writeDy(this.#heap, source, shape);
    chain.view(chain.rows.length - 1, 'dy').set(this.#heap.view('dy'));
    return null;
  }
}

const ONE_CELL = {
  ...{ kh: 1, kw: 1, stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1 },
  ...({ padding_mode: 'explicit_sides', padding: NO_PADDING } as const),
};

function checkLayers(layers: unknown): readonly SentLayer[] {
  const members = ['kind', 'window', 'options', 'w', 'b'] as const;
  for (const layer of checkList(layers, 'network')) checkFields(layer, members, 'network');
  return layers as readonly SentLayer[];
}

/**
 * Hidden values of a network: outputs of layers and their gradients, by their names in the view Network. As in masks.ts they never leave
 * the worker. Values that other layers compute from them are not hidden, even if they are the same: a ReLU's gate is an exercise, too.
 */

interface HiddenNetwork {
  /** With NaN in place of hidden values. Shares no memory with the result. */
  readonly shown: NetworkResult;
  /** The hidden values of the open layer, by the names that they have there. */
  readonly own: readonly Hidden[];
}

/** `open`: index of the open layer. Throws ConvFailure. */
function hideInNetwork(
  heap: SessionHeap,
  { values, gradients, layers, loss }: NetworkResult,
  hidden: unknown,
  open: number,
): HiddenNetwork {
  const count = layers.length;
  const masks = new HiddenCells(
    heap,
    checkHidden(hidden, (name) => ownerOf(name, count) !== null),
  );
  const nameAt = (i: number, prefix = '') => (i === 0 ? `${prefix}x` : `${prefix}y${i}`);
  const [y, dy] = [nameAt(count), nameAt(count, 'd')];
  if (loss !== null) {
    // A cell of dy is a multiple of y - target, and all other gradients are computed from dy.
    masks.propagate(y, [dy]);
    masks.propagate(y, ['dw', 'db', ...layers.map((_, i) => nameAt(i, 'd'))], true);
  }
  const blank = (tensor: Tensor, name: string): Tensor => masks.blank({ ...tensor, data: tensor.data.slice() }, name);
  const layerAt = ({ w, b, dw, db, winners, averages, ...rest }: LayerResult, i: number): LayerResult => ({
    ...rest,
    ...(w && { w: blank(w, 'w') }),
    ...(b && { b: blank(b, 'b') }),
    ...(dw && { dw: blank(dw, 'dw') }),
    ...(db && { db: blank(db, 'db') }),
    ...(winners && { winners: winners.slice() }),
    ...(averages && {
      averages: {
        ...averages,
        sums: averages.sums.map((sum, at) => (masks.hides(nameAt(i + 1), at) ? Number.NaN : sum)),
      },
    }),
  });
  const ofOpen = {
    ...{ x: nameAt(open), y: nameAt(open + 1), dx: nameAt(open, 'd'), dy: nameAt(open + 1, 'd') },
    ...{ dw: 'dw', db: 'db' },
  };
  return {
    shown: {
      values: values.map((tensor, i) => blank(tensor, nameAt(i))),
      gradients: gradients.map((tensor, i) => blank(tensor, nameAt(i, 'd'))),
      layers: layers.map(layerAt),
      loss: loss !== null && (masks.any(y) || masks.any(dy)) ? Number.NaN : loss,
    },
    own: Object.entries(ofOpen).flatMap(([tensor, name]) =>
      masks.cellsOf(name).map((index) => ({ tensor: tensor as TensorName, index })),
    ),
  };
}
