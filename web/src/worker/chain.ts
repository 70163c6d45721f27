import type { ChainInput, ChainLayers } from '../engine/session-heap';
import { checkMember, embindDesc } from '../engine/validate';
import { descOn, type LayerSizes, type PlaneSizes } from '../protocol/layers';
import type { MainModule } from '../wasm/module';

/** The layers of a request, without their values. */
export interface Chain {
  /** Sizes of x. */
  readonly input: PlaneSizes;
  readonly layers: readonly LayerSizes[];
}

/** The padding counts as cells: of average pooling. */
export const countsPadding = ({ options }: LayerSizes): boolean => options.count_include_pad !== 0;

/** The arguments of set_problem, of the module or of that of gradient checks. Throws ConvFailure. */
export function chainOf(
  module: Pick<MainModule, 'Layout' | 'PaddingMode' | 'LayerKind'>,
  { layers, input }: Chain,
): [input: ChainInput, layers: ChainLayers] {
  return [
    { ...input, layout: checkMember(module.Layout, input.layout, 'layout') },
    layers.map((layer) => ({
      kind: checkMember(module.LayerKind, layer.kind, 'kind'),
      windows: embindDesc(module, descOn(layer.window, input)),
      count_include_pad: countsPadding(layer),
    })),
  ];
}
