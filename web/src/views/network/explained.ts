import { layerView } from '../../layers/views';
import { formatExact, hasHiddenValues } from '../../ui/numbers';
import { type Net, netCellLabel, type Place, sceneOf, tensorOf } from './net';

/** What a cell is, in one to three lines, with the numbers of the library. */
export function explained(net: Net, place: Place): readonly string[] {
  const { side, index } = place;
  const tensor = tensorOf(net, place);
  const value = tensor?.[side].data[index];
  if (!tensor || value === undefined) return [];
  if (Number.isNaN(value) && hasHiddenValues.peek()) return [`${netCellLabel(tensor, side, index)} is hidden.`];
  const head = `${netCellLabel(tensor, side, index)} = ${formatExact(value)}`;
  if (place.of) return [head, ...partLines(net, place)];
  return [head, ...(side === 'value' ? valueLines : gradientLines)(net, place)];
}

function valueLines(net: Net, { at, index }: Place): readonly string[] {
  const layer = net.layers[at - 1];
  const currentContent = sceneOf(net, at - 1);
  return layer && currentContent
    ? layerView(layer.kind).explain.y(currentContent, index)
    : ['An input of the network.'];
}

function gradientLines(net: Net, { at, index }: Place): readonly string[] {
  const layer = net.layers[at];
  const currentContent = sceneOf(net, at);
  if (layer && currentContent) return layerView(layer.kind).explain.dx(currentContent, index);
  return [net.loss === null ? 'dy at the end is given.' : 'The gradient of the loss for this cell of the output.'];
}

function partLines(net: Net, { at, of, side }: Place): readonly string[] {
  const [layer, from, above] = [net.layers[at], net.tensors[at], net.tensors[at + 1]];
  if (!layer || !from || !above) return [];
  const { number } = layer;
  if (side === 'value') return [`${of === 'b' ? 'The bias of a filter' : 'A weight'} of layer ${number}.`];
  if (of === 'b') return [`The sum of d${above.name} over all positions of a filter.`];
  return [`The sum of products of ${from.name} and d${above.name}, over all positions.`];
}
