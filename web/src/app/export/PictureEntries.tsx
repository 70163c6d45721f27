import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Figure } from '../../figure/svg';
import { Button } from '../../ui/controls/Button';
import { Checkbox, Select } from '../../ui/controls/Choice';
import { ProgressBar } from '../../ui/notices';
import { theme } from '../../ui/theme';
import { toClipboard } from '../page/clipboard';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { COPY_BLOCKED } from '../page/use-copy';
import { currentPlayer, figureOf, figureSubjects, pngOf, scaleOf, sizeOf, svgOf } from './figure';
import { durationsOf, record, recordedSteps, SHORTEST } from './record';

interface FigureProps {
  readonly page: Page;
  /** Its panel is chosen first. */
  readonly at: Element | null;
}

/** The chosen part of the view as a figure, and the fields that choose it and its title. */
export function useFigure({ page, at }: FigureProps, words: boolean, sentence?: string) {
  const subjects = useMemo(() => figureSubjects(page), [page]);
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      subjects.findIndex(({ element }, i) => i > 0 && element.contains(at)),
    ),
  );
  const [typed, setTitle] = useState<string | null>(null);
  const subject = subjects[index];
  const title = typed ?? subject?.title ?? '';
  const tone = theme.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme changes all colors
  const figure = useMemo(
    () => subject && figureOf(page, subject, { title, words, sentence }),
    [page, subject, title, words, sentence, tone],
  );
  const fields = (
    <>
      <Select
        label="content"
        options={subjects.map(({ label }, i) => ({ value: i, label }))}
        value={index}
        onChange={(value) => {
          setIndex(value);
          setTitle(null);
        }}
      />
      <label class="export__field">
        title
        <input type="text" value={title} maxLength={120} onInput={(event) => setTitle(event.currentTarget.value)} />
      </label>
    </>
  );
  return { chosen: subject && figure && { index, title, figure, name: `conv2d-${subject.name}` }, fields };
}

export function Preview({ figure }: { readonly figure: Figure }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(svgOf(figure));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [figure]);
  return (
    <div class="export__preview">
      <img src={address} alt={`${figure.title}. ${figure.description}`} />
    </div>
  );
}

/** Saves the view or one of its panels as PNG or SVG. */
export function FigureEntry(props: FigureProps) {
  const [words, setWords] = useState(true);
  const [said, say] = useState('');
  const player = useMemo(currentPlayer, []);
  const sentence = words && player && player.value > 0 ? player.sentence : undefined;
  const { chosen, fields } = useFigure(props, words, sentence);
  if (!chosen) return <p role="status">There is nothing to export yet.</p>;

  const { figure, name } = chosen;
  const scale = scaleOf(figure);
  const { width, height } = sizeOf(figure, scale);
  const save = async (file: string, make: () => Blob | Promise<Blob>) => {
    try {
      saveFile(file, await make());
      say(`${file} was saved.`);
    } catch {
      say('The figure was not saved: it may be too large for this browser.');
    }
  };
  const copy = async () => {
    const isCopied = await toClipboard(pngOf(figure), 'image/png');
    say(isCopied ? 'Figure copied.' : `${COPY_BLOCKED} Save the figure instead.`);
  };
  return (
    <div class="export grid loose">
      <div class="export__row row wrap">
        {fields}
        <Checkbox label="sizes and legend" checked={words} onChange={setWords} />
      </div>
      <Preview figure={figure} />
      <div class="export__row row wrap">
        <Button kind="primary" onClick={() => void save(`${name}.png`, () => pngOf(figure))}>
          Save PNG
        </Button>
        <Button onClick={() => void save(`${name}.svg`, () => svgOf(figure))}>Save SVG</Button>
        <Button onClick={() => void copy()}>Copy PNG</Button>
        <span class="export__note note">
          {width} × {height} pixels
          {scale < 2 ? `, scaled by ${scale.toFixed(1)}: the largest size that browsers allow` : ''}
        </span>
      </div>
      <p role="status">{said}</p>
    </div>
  );
}

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
            .map((value) => ({ value, label: value === player.speed ? `${value} (player)` : String(value) }))}
          value={speed}
          onChange={setSpeed}
        />
        <Select
          label="size"
          options={SCALES.filter(([of]) => of <= 1 || figure.width * of <= WIDEST).map(([of, label]) => ({
            value: of,
            label: `${label}, ${size(of)}`,
          }))}
          value={scale}
          onChange={setScale}
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
