import type { ChainInput, ChainLayers } from '../engine/session-heap';
import { embindLayer } from '../engine/validate';
import { descOn, type LayerSizes, type PlaneSizes } from '../protocol/layers';
import type { MainModule } from '../wasm/module';

/** The layers of a request, without their values. */
export interface Chain {
  /** Sizes of x. */
  readonly input: PlaneSizes;
  readonly layers: readonly LayerSizes[];
}

/** The arguments of set_problem, of the module or of that of gradient checks. Throws ConvFailure. */
export function chainOf(
  module: Pick<MainModule, 'Layout' | 'PaddingMode'>,
  { layers, input }: Chain,
): [input: ChainInput, layers: ChainLayers] {
  return [
    { ...input, layout: module.Layout[input.layout] },
    layers.map((layer) => embindLayer(module, descOn(layer.window, input), layer)),
  ];
}
