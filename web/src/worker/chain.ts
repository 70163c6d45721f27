import { type Checked, must, plainStats } from '../engine/session-heap';
import { checkFloats, checkLength, embindDesc } from '../engine/validate';
import type { LayerOf, PlaneSizes, PoolDesc } from '../protocol/network';
import { type ConvDesc, type LossName, NO_PADDING, type Shape, type Tensor } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { NetworkModule } from '../wasm/module';

/** A chain of layers in the module "network". */

export type Layer = LayerOf<Float32Array>;
/** Where the tensors of a layer are; x, dx and target belong to the chain. */
export type Slot = keyof NetworkModule['ChainSlot'];
export type LayerRow = ReturnType<NetworkModule['set_chain']>['layers'][number];

const NONE = new Float32Array(0);
export const POINT = { kh: 1, kw: 1, stride_h: 1, stride_w: 1, padding: NO_PADDING };

/** A window without weights, as a descriptor. */
export const windowDesc = (sizes: PlaneSizes, pool: PoolDesc): ConvDesc => ({
  ...sizes,
  ...{ k: 1, kh: pool.kh, kw: pool.kw, stride_h: pool.stride_h, stride_w: pool.stride_w },
  ...{ dilation_h: 1, dilation_w: 1, groups: 1, padding_mode: 'explicit_sides', padding: pool.padding },
});

export const excludesPadding = (layer: Layer): boolean =>
  layer.kind === 'average_pool' && layer.pool.count_include_pad === false;

/** Throws ConvFailure. What it reads are copies, except views. */
export class Chain {
  readonly module: NetworkModule;
  readonly handle: number;
  /** Of the layers that were set; replaced by `set`. */
  rows: readonly LayerRow[] = [];

  constructor(module: NetworkModule) {
    this.module = module;
    this.handle = module.open_chain();
  }

  dispose(): void {
    this.module.close_chain(this.handle);
  }

  set(layers: readonly Layer[], input: PlaneSizes, x: Float32Array): void {
    const { module, handle } = this;
    const descs = layers.map((layer) => ({
      kind: module.LayerKind[layer.kind],
      windows: embindDesc(
        module,
        layer.kind === 'conv' ? layer.desc : windowDesc(input, layer.kind === 'relu' ? POINT : layer.pool),
      ),
      count_include_pad: !excludesPadding(layer),
    }));
    const sizes = { ...input, layout: module.Layout[input.layout] };
    const rows = this.must(module.set_chain(handle, sizes, descs)).layers;
    this.rows = rows;
    this.write(0, 'x', x, shapeSize(rows[0]?.x_shape ?? [0, 0, 0, 0]));
    layers.forEach((layer, i) => {
      // The chain keeps the weights of the layer that had this number before.
      const { w, b } = layer.kind === 'conv' ? layer : { w: NONE, b: null };
      this.write(i, 'w', checkFloats(w, 'w'), rows[i]?.w_size ?? 0);
      this.write(i, 'b', b ? checkFloats(b, 'b') : NONE, b ? (rows[i]?.b_size ?? 0) : 0);
    });
  }

  forward(): void {
    this.must(this.module.chain_forward(this.handle));
  }

  backward(): void {
    this.must(this.module.chain_backward(this.handle));
  }

  /** dy of the last layer becomes the gradient of the loss with the target; returns the loss. With `linear` the target is dy. */
  lossDy(loss: LossName): number {
    return this.must(this.module.chain_loss_dy(this.handle, this.module.Loss[loss])).value;
  }

  /** The shape of the last output. */
  get end(): Shape {
    return this.rows.at(-1)?.y_shape ?? [0, 0, 0, 0];
  }

  write(layer: number, name: Slot, values: Float32Array, length: number): void {
    checkLength(values.length, length, name);
    this.must(this.module.chain_reserve(this.handle, layer, this.module.ChainSlot[name], length));
    this.view(layer, name).set(values);
  }

  /** Valid until the next call into the module. */
  view(layer: number, name: Slot): Float32Array {
    return this.module.chain_view(this.handle, layer, this.module.ChainSlot[name]);
  }

  read(layer: number, name: Slot, shape: Shape): Tensor {
    const stats = this.module.chain_stats(this.handle, layer, this.module.ChainSlot[name]);
    return { shape, data: this.view(layer, name).slice(), stats: plainStats(stats) };
  }

  must<Result extends Checked>(result: Result): Result {
    return must(this.module, result);
  }
}
