import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { ProgressBar } from '../../ui/notices';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { Preview, useFigure } from './FigureEntry';
import { currentPlayer, sizeOf } from './figure';
import { durationsOf, record, recordedSteps, SHORTEST } from './record';

/** Steps per second, in addition to the player's own. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const SCALES = [
  [0.5, 'half'],
  [1, 'normal'],
  [2, 'double'],
] as const;
/** Pixels. Wider animations take long to record. */
const WIDEST = 2400;

/** Saves the player's steps, from first to last, as a GIF. */
export function AnimationEntry(props: { readonly page: Page; readonly at: Element | null }) {
  const player = useMemo(currentPlayer, []);
  const { chosen, fields } = useFigure(props, true);
  const [speed, setSpeed] = useState(player?.speed ?? 2);
  const [scale, setScale] = useState(1);
  /** Frames that are done; null: nothing is recorded. */
  const [done, setDone] = useState<number | null>(null);
  const [said, say] = useState('');
  const aborter = useRef<AbortController | null>(null);
  const figure = chosen?.figure;
  useEffect(() => () => aborter.current?.abort(), []);
  if (!chosen || !figure) return <p role="status">There is nothing to export yet.</p>;
  if (!player || player.total === 0) {
    return <p role="status">This view has no player to record. Open the Overview, for example.</p>;
  }

  const { index, title, name } = chosen;
  const steps = recordedSteps(player.total);
  const times = durationsOf(steps, speed);
  const every = (steps[1] ?? 1) - (steps[0] ?? 0);
  const size = (of: number) => {
    const { width, height } = sizeOf(figure, of);
    return `${width} × ${height}`;
  };
  const make = async () => {
    const controller = new AbortController();
    aborter.current = controller;
    setDone(0);
    say('');
    try {
      const blob = await record(props.page, { index, title, speed, scale }, setDone, controller.signal);
      const file = `${name}.gif`;
      saveFile(file, blob);
      say(`${file} was saved: ${steps.length} frames, ${Math.max(1, Math.round(blob.size / 1000))} kB.`);
    } catch (cause) {
      if (controller.signal.aborted) say('Canceled. Nothing was saved.');
      else say(`The animation failed: ${cause instanceof Error ? cause.message : 'unknown error'}.`);
    }
    setDone(null);
  };
  return (
    <div class="export grid loose">
      <div class="export__row row wrap">
        {fields}
        <Select
          label="steps per second"
          options={[...new Set([...SPEEDS, player.speed])]
            .sort((a, b) => a - b)
            .map((of) => ({ value: String(of), label: of === player.speed ? `${of} (player)` : String(of) }))}
          value={String(speed)}
          onChange={(value) => setSpeed(Number(value))}
        />
        <Select
          label="size"
          options={SCALES.filter(([of]) => of <= 1 || figure.width * of <= WIDEST).map(([of, label]) => ({
            value: String(of),
            label: `${label}, ${size(of)}`,
          }))}
          value={String(scale)}
          onChange={(value) => setScale(Number(value))}
        />
      </div>
      <Preview figure={figure} />
      {done !== null ? (
        <ProgressBar
          label={`frame ${done} of ${steps.length}`}
          fraction={done / steps.length}
          onCancel={() => aborter.current?.abort()}
        />
      ) : (
        <div class="export__row row wrap">
          <Button kind="primary" onClick={() => void make()}>
            Save GIF
          </Button>
          <span class="export__note note">
            {steps.length} frames{every > 1 ? `, one every ${every} steps` : ''},{' '}
            {seconds(times.reduce((sum, time) => sum + time, 0))}
            {times[0] === SHORTEST && 1000 * every < SHORTEST * speed ? ' (at most 50 frames per second)' : ''}
          </span>
        </div>
      )}
      <p role="status">{said}</p>
    </div>
  );
}

const seconds = (milliseconds: number): string => {
  const whole = milliseconds / 1000;
  return `${whole < 10 ? whole.toFixed(1) : Math.round(whole)} seconds`;
};
