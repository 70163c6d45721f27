import { useCallback } from 'preact/hooks';
import type { Cell } from '../../protocol/problem';
import type { AboutProps, ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { explained } from './explained';
import { layerSumOf, type Net, placeBeside, placeText } from './net';
import { useNet } from './pointed';

/** What the names in a sum of a layer are in the network. */
function namesOf({ layers, tensors }: Net, i: number): string {
  const [layer, x, y] = [layers[i], tensors[i], tensors[i + 1]];
  return layers.length > 1 && layer && x && y
    ? `In layer ${layer.number} alone, ${i > 0 ? `x is ${x.name}, ` : ''}y is ${y.name} and dy is d${y.name}.`
    : '';
}

/** The pointed cell in one or two lines; without one, what the view shows. */
export function AboutNetwork({ wanted, onState, renderSum }: ViewProps & AboutProps) {
  const { net: current, hovered, pointed } = useNet(wanted);
  const isUnaided = useViewModel().unaided.value;
  const [net, place] = [current.value, pointed.value];
  const onCell = useCallback(
    (layer: number, cell: Cell) => {
      const [at, now] = [placeBeside(layer, cell), current.peek()];
      if (at && now) onState({ cell: placeText(now, at) });
    },
    [current, onState],
  );
  const all = net && place ? explained(net, place) : [];
  // What a cell is computed from is a hint.
  const lines = isUnaided ? all.slice(0, 1) : all;
  if (lines.length > 0) {
    const [first, ...rest] = lines;
    const sum = !isUnaided && net && place && layerSumOf(net, place);
    return (
      <>
        <div class="net-about" role={hovered.value || wanted.t ? undefined : 'status'}>
          <p>
            <strong>{first}</strong>
          </p>
          {rest.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        {net && sum && renderSum && (
          <>
            <p class="about__sentence">{namesOf(net, sum.layer)}</p>
            {renderSum({ ...sum, onCell: (cell) => onCell(sum.layer, cell) })}
          </>
        )}
      </>
    );
  }
  return (
    <>
      <p>
        <strong>Forward</strong>, top row: each layer reads the output of the layer before it. <strong>Backward</strong>
        , bottom row: each layer computes the gradient of its input from the gradient of its output.
      </p>
      <p>
        Hatched cells of a ReLU are closed gates: their value and their gradient are 0. Outlined cells are the largest
        of a pooling window: only they get a gradient.
      </p>
      <p>Point at a cell to see what it came from and what it reaches, through all layers.</p>
    </>
  );
}
