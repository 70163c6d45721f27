import type { ViewProps } from '../kit/view';
import { explained } from './explained';
import { useNet } from './pointed';

/** The pointed cell in one or two lines; without one, what the view shows. */
export function AboutNetwork({ wanted }: ViewProps) {
  const { net: current, hovered, pointed } = useNet(wanted);
  const [net, place] = [current.value, pointed.value];
  const lines = net && place ? explained(net, place) : [];
  if (lines.length > 0) {
    const [first, ...rest] = lines;
    return (
      <div class="net-about" role={hovered.value || wanted.t ? undefined : 'status'}>
        <p>
          <strong>{first}</strong>
        </p>
        {rest.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
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
