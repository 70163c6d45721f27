import { layerView } from '../../layers/views';
import { formatExact, hasHiddenValues } from '../../ui/numbers';
import { windowText } from '../shared/walk/StepPlayer';
import { type Net, netCellLabel, type Place, placePosition, sceneOf, tensorOf } from './net';
import { partWords } from './sentences';

/** What a cell is, in one to three lines, with the numbers of the library. */
export function explained(net: Net, place: Place): readonly string[] {
  const { side, index } = place;
  const tensor = tensorOf(net, place);
  const value = tensor?.[side].data[index];
  if (!tensor || value === undefined) return [];
  if (Number.isNaN(value) && hasHiddenValues.peek()) return [`${netCellLabel(tensor, side, index)} is hidden.`];
  const head = `${netCellLabel(tensor, side, index)} = ${formatExact(value)}`;
  if (place.of) return [head, `It${partWords(net, place)}.`];
  return [head, ...(side === 'value' ? valueLines : gradientLines)(net, place)];
}

function valueLines(net: Net, place: Place): readonly string[] {
  const { at, index } = place;
  const [layer, from, scene, position] = [
    net.layers[at - 1],
    net.tensors[at - 1],
    sceneOf(net, at - 1),
    placePosition(net, place),
  ];
  if (!layer || !from || !scene || !position) return ['An input of the network.'];
  const lines = layerView(layer.kind).explain.y(scene, index);
  const window = windowText(layer.geometry, position.row, position.col);
  return layer.kind === 'conv' ? [...lines, `It reads ${window} of ${from.name}.`] : lines;
}

function gradientLines(net: Net, { at, index }: Place): readonly string[] {
  const layer = net.layers[at];
  const currentContent = sceneOf(net, at);
  if (layer && currentContent) return layerView(layer.kind).explain.dx(currentContent, index);
  return [net.loss === null ? 'dy at the end is given.' : 'The gradient of the loss for this cell of the output.'];
}
