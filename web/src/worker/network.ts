import { ConvFailure } from '../engine/failure';
import { must, plainStats, SessionHeap } from '../engine/session-heap';
import { checkFloats, checkLength, checkList, embindDesc, plainGeometry } from '../engine/validate';
import type { ComputeRequest, ComputeResult, DySource, ModuleVariant } from '../protocol/messages';
import {
  type ConvLayerOf,
  type LayerOf,
  type LayerResult,
  type NetworkResult,
  type PlaneSizes,
  type PoolDesc,
  sizesOfShape,
} from '../protocol/network';
import type { ConvDesc, Shape, Tensor } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { NetworkModule } from '../wasm/network';
import type { OnProgress } from './answerer';
import type { ConvEngine } from './conv-engine';
import { checkDySource, needsOutput, writeDy } from './dy';
import { hideInNetwork } from './network-masks';

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

type Slot = keyof NetworkModule['ChainSlot'];
type Layer = LayerOf<Float32Array>;

/** Sums of larger outputs of average pooling are not sent. */
const MOST_AVERAGES = 2 ** 14;

const NONE = new Float32Array(0);
const NO_PADDING = { top: 0, bottom: 0, left: 0, right: 0 };
const POINT = { kh: 1, kw: 1, stride_h: 1, stride_w: 1, padding: NO_PADDING };

/** A window without weights, as a descriptor. */
const windowDesc = (sizes: PlaneSizes, pool: PoolDesc): ConvDesc => ({
  ...sizes,
  ...{ k: 1, kh: pool.kh, kw: pool.kw, stride_h: pool.stride_h, stride_w: pool.stride_w },
  ...{ dilation_h: 1, dilation_w: 1, groups: 1, padding_mode: 'explicit_sides', padding: pool.padding },
});

/** A chain of layers in the module "network". Throws ConvFailure. */
export class NetworkEngine {
  readonly #module: NetworkModule;
  readonly #chain: number;
  /** For a dy that is no gradient of a loss. */
  readonly #heap: SessionHeap;

  constructor(module: NetworkModule) {
    this.#module = module;
    this.#chain = module.open_chain();
    this.#heap = new SessionHeap(module);
  }

  /** Computes all layers, then the open one with `engine`; answers to later questions are about that. */
  compute(engine: ConvEngine, request: ComputeRequest, revision: number, onProgress: OnProgress): ComputeResult {
    const { network, ...own } = request;
    if (!network) return engine.compute(request, revision, onProgress);
    const { desc, w, b, dy } = request;
    if (request.x === 'resident' || w === 'resident' || b === 'resident' || dy === 'resident') {
      throw new ConvFailure('invalid_argument', 'network', 'a network has no resident tensors');
    }
    checkDySource(dy);
    const open: ConvLayerOf<Float32Array> = { kind: 'conv', desc, w, b };
    const layers: readonly Layer[] = [...checkLayers(network.before), open, ...checkLayers(network.after)];
    const whole = this.#run(layers, sizesOfShape(desc.layout, network.input), checkFloats(request.x, 'x'), dy);
    const at = network.before.length;
    const [input, gradient] = [whole.values[at], whole.gradients[at + 1]];
    if (!input || !gradient) throw new ConvFailure('internal', '', 'the network has no open layer');
    const ownDy: DySource =
      network.after.length === 0 ? dy : { kind: 'values', shape: gradient.shape, data: gradient.data };
    const hiding = request.hidden ? hideInNetwork(this.#heap, whole, request.hidden, at) : null;
    const hidden = hiding && { hidden: hiding.own };
    const result = engine.compute({ ...own, ...hidden, x: input.data, dy: ownDy }, revision, onProgress);
    // The arrays of a result leave the worker; nothing of `whole` does.
    engine.network = hiding && { layers, whole };
    const shown = hiding?.shown ?? whole;
    const x = shown.values[at] ?? input;
    const tensors = at > 0 ? { ...result.tensors, x: { ...x, data: x.data.slice() } } : result.tensors;
    return { ...result, tensors, network: shown };
  }

  #run(layers: readonly Layer[], input: PlaneSizes, x: Float32Array, dy: DySource): NetworkResult {
    const module = this.#module;
    const descs = layers.map((layer) => ({
      kind: module.LayerKind[layer.kind],
      windows: embindDesc(
        module,
        layer.kind === 'conv' ? layer.desc : windowDesc(input, layer.kind === 'relu' ? POINT : layer.pool),
      ),
      count_include_pad: true,
    }));
    const set = module.set_chain(this.#chain, { ...input, layout: module.Layout[input.layout] }, descs);
    this.#must(set.status);
    this.#write(0, 'x', x, shapeSize(set.layers[0]?.x_shape ?? [0, 0, 0, 0]));
    layers.forEach((layer, i) => {
      // The chain keeps the weights of the layer that had this number before.
      const { w, b } = layer.kind === 'conv' ? layer : { w: NONE, b: null };
      this.#write(i, 'w', checkFloats(w, 'w'), set.layers[i]?.w_size ?? 0);
      this.#write(i, 'b', b ? checkFloats(b, 'b') : NONE, b ? (set.layers[i]?.b_size ?? 0) : 0);
    });
    this.#must(module.chain_forward(this.#chain));
    const last = set.layers.length - 1;
    const end = set.layers[last]?.y_shape ?? [0, 0, 0, 0];
    const loss = this.#writeDy(last, dy, end, input);
    this.#must(module.chain_backward(this.#chain));

    const shapeBefore = (i: number): Shape => set.layers[i]?.x_shape ?? end;
    const tensors = (first: Slot, others: Slot): readonly Tensor[] =>
      Array.from({ length: set.layers.length + 1 }, (_, i) =>
        i === 0 ? this.#read(0, first, shapeBefore(0)) : this.#read(i - 1, others, shapeBefore(i)),
      );
    return {
      values: tensors('x', 'y'),
      gradients: tensors('dx', 'dy'),
      layers: set.layers.map((row, i) => ({
        geometry: plainGeometry(module, row.geometry),
        ...this.#resultOf(layers[i] as Layer, i, row.w_shape, row.geometry.k),
      })),
      loss,
    };
  }

  #resultOf(layer: Layer, i: number, w: Shape, k: number): Omit<LayerResult, 'geometry'> {
    const bias: Shape = [1, 1, 1, k];
    if (layer.kind === 'max_pool') return { winners: this.#module.chain_winners(this.#chain, i).slice() };
    if (layer.kind === 'average_pool') return this.#averages(i);
    if (layer.kind !== 'conv') return {};
    const gradients = { dw: this.#read(i, 'dw', w), db: this.#read(i, 'db', bias) };
    return { w: this.#read(i, 'w', w), ...(layer.b && { b: this.#read(i, 'b', bias) }), ...gradients };
  }

  #averages(i: number): Pick<LayerResult, 'averages'> {
    const { length } = this.#view(i, 'y');
    if (length > MOST_AVERAGES) return {};
    const cells = Array.from({ length }, (_, index) => this.#module.chain_average_cell(this.#chain, i, index));
    return {
      averages: {
        sums: Float32Array.from(cells, ({ sum }) => sum),
        counts: Int32Array.from(cells, ({ count }) => count),
      },
    };
  }

  /** Writes dy of the last layer; returns the loss, if it is its gradient. */
  #writeDy(last: number, source: DySource, shape: Shape, input: PlaneSizes): number | null {
    const module = this.#module;
    if (needsOutput(source.kind)) {
      const { kind, target } = source as Extract<DySource, { target: unknown }>;
      const length = shapeSize(shape);
      if (target) checkLength(target.length, length, 'dy.target');
      this.#write(0, 'target', target ?? new Float32Array(length), length);
      const { status, value } = module.chain_loss_dy(this.#chain, module.Loss[kind]);
      this.#must(status);
      return value;
    }
    // A session with this y: each cell is its own window.
    const plane = sizesOfShape(input.layout, shape);
    const desc = { ...windowDesc(plane, POINT), k: plane.c, groups: plane.c };
    this.#heap.must(this.#heap.session.set_problem(embindDesc(module, desc)).status);
    writeDy(module, this.#heap, source, shape);
    this.#view(last, 'dy').set(this.#heap.session.view(this.#heap.slot('dy')));
    return null;
  }

  #write(layer: number, name: Slot, values: Float32Array, length: number): void {
    checkLength(values.length, length, name);
    this.#must(this.#module.chain_reserve(this.#chain, layer, this.#module.ChainSlot[name], length));
    this.#view(layer, name).set(values);
  }

  #view(layer: number, name: Slot): Float32Array {
    return this.#module.chain_view(this.#chain, layer, this.#module.ChainSlot[name]);
  }

  #read(layer: number, name: Slot, shape: Shape): Tensor {
    const stats = this.#module.chain_stats(this.#chain, layer, this.#module.ChainSlot[name]);
    return { shape, data: this.#view(layer, name).slice(), stats: plainStats(stats) };
  }

  #must(status: Parameters<typeof must>[1]): void {
    must(this.#module, status);
  }
}

const KINDS: readonly unknown[] = ['conv', 'relu', 'max_pool', 'average_pool'];

function checkLayers(layers: unknown): readonly Layer[] {
  for (const layer of checkList(layers, 'network') as readonly { readonly kind?: unknown }[]) {
    if (!KINDS.includes(layer?.kind)) {
      throw new ConvFailure('invalid_argument', 'network', `a layer must be one of ${KINDS.join(', ')}`);
    }
  }
  return layers as readonly Layer[];
}
