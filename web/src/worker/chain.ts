import type { ChainInput, ChainLayers } from '../engine/session-heap';
import { checkFields, checkList, checkMember, embindDesc, refuse } from '../engine/validate';
import type { ComputeRequest } from '../protocol/messages';
import { descOn, type NetworkRequest, type PlaneSizes, type SentLayer, sizesOfShape } from '../protocol/network';
import type { ConvDesc, InputName } from '../protocol/problem';
import type { MainModule } from '../wasm/module';

/** How a request of a network becomes a chain of the session. */

/** The layers of a request. */
export interface Net {
  readonly layers: readonly SentLayer[];
  readonly input: PlaneSizes;
  /** The layer with the sizes and weights of the request, counted from 0. */
  readonly open: number;
}

export const countsPadding = ({ options }: SentLayer): boolean => options.count_include_pad !== 0;

/** Checks the layers of a request. Throws ConvFailure. */
export function netOf(request: ComputeRequest, network: NetworkRequest): Net {
  const { desc, x, w, b, dy } = request;
  if (x === 'resident' || w === 'resident' || b === 'resident' || dy === 'resident') {
    refuse('network', 'a network has no resident tensors');
  }
  const open: SentLayer = { kind: 'conv', window: desc, options: {}, w, b };
  return {
    layers: [...checkLayers(network.before), open, ...checkLayers(network.after)],
    input: sizesOfShape(desc.layout, network.input),
    open: network.before.length,
  };
}

/** The arguments of set_problem, of the module or of that of gradient checks. */
export function chainOf(
  module: Pick<MainModule, 'Layout' | 'PaddingMode' | 'LayerKind'>,
  { layers, input }: Net,
): { readonly input: ChainInput; readonly layers: ChainLayers } {
  return {
    input: { ...input, layout: module.Layout[input.layout] },
    layers: layers.map((layer) => ({
      kind: checkMember(module.LayerKind, layer.kind, 'network'),
      windows: embindDesc(module, descOn(layer.window, input)),
      count_include_pad: countsPadding(layer),
    })),
  };
}

function checkLayers(layers: unknown): readonly SentLayer[] {
  const members = ['kind', 'window', 'options', 'w', 'b'] as const;
  for (const layer of checkList(layers, 'network')) checkFields(layer, members, 'network');
  return layers as readonly SentLayer[];
}

/** What a layer computes from. */
export interface LayerInputs {
  readonly kind: string;
  readonly desc: ConvDesc;
  /** Of average pooling: the padding counts as cells. */
  readonly countsPadding: boolean;
  readonly values: (name: InputName) => Float32Array;
}
