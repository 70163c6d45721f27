import { Scrubber } from '../../ui/scrubber/Scrubber';
import type { ViewProps } from '../kit/view';
import { useViewModel } from '../kit/view-model';
import { labelOf, type Net, type Place, tensorOf } from './net';
import { useNet } from './pointed';
import { sentenceOf, stepsOf } from './steps';

/** Runs the network forward, layer by layer and cell by cell, then backward. */
export function NetworkPlayer({ wanted, onState }: ViewProps) {
  const { onPlay } = useViewModel();
  const { net: current, step: shown, selected } = useNet(wanted);
  const [net, step, other] = [current.value, shown.value, selected.value];
  if (!net) return null;
  return (
    <Scrubber
      label="steps of the network"
      value={step?.t ?? 0}
      total={stepsOf(net)}
      row={step?.row ?? 1}
      sentence={sentenceOf(net, step)}
      note={step && other && !isSame(other, step.place) ? `Selected: ${nameIn(net, other)}.` : undefined}
      onChange={(t) => {
        onPlay();
        onState({ t, cell: '' });
      }}
    />
  );
}

const isSame = (a: Place, b: Place): boolean =>
  a.at === b.at && a.of === b.of && a.side === b.side && a.index === b.index;

function nameIn(net: Net, place: Place): string {
  const tensor = tensorOf(net, place);
  return tensor ? labelOf(tensor, place.side, place.index) : '';
}
