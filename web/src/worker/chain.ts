import { type Checked, must, plainStats } from '../engine/session-heap';
import { checkFloats, checkLength, checkMember, embindDesc } from '../engine/validate';
import { descOn, type PlaneSizes, type SentLayer } from '../protocol/network';
import type { LossName, Shape, Tensor } from '../protocol/problem';
import { shapeSize } from '../protocol/shapes';
import type { NetworkModule } from '../wasm/module';

/** A chain of layers in the module "network". */

/** Where the tensors of a layer are; x, dx and target belong to the chain. */
export type Slot = keyof NetworkModule['ChainSlot'];
export type LayerRow = ReturnType<NetworkModule['set_chain']>['layers'][number];

const NONE = new Float32Array(0);

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

  set(layers: readonly SentLayer[], input: PlaneSizes, x: Float32Array): void {
    const { module, handle } = this;
    const descs = layers.map(({ kind, window, options }) => ({
      kind: checkMember(module.LayerKind, kind, 'network'),
      windows: embindDesc(module, descOn(window, input)),
      count_include_pad: options.count_include_pad !== 0,
    }));
    const sizes = { ...input, layout: module.Layout[input.layout] };
    const rows = this.must(module.set_chain(handle, sizes, descs)).layers;
    this.rows = rows;
    this.write(0, 'x', x, shapeSize(rows[0]?.x_shape ?? [0, 0, 0, 0]));
    layers.forEach(({ w, b }, i) => {
      // The chain keeps the weights of the layer that had this number before.
      this.write(i, 'w', w ? checkFloats(w, 'w') : NONE, rows[i]?.w_size ?? 0);
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
