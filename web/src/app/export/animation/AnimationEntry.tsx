import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { videoKind } from '../../../film/containers';
import type { FilmKind } from '../../../film/messages';
import { Button } from '../../../ui/controls/Button';
import { Segmented, Select } from '../../../ui/controls/Choice';
import { Progress } from '../../../ui/notices';
import { saveFile } from '../../page/save-file';
import type { ExportProps } from '../entry';
import { Preview } from '../figure/Preview';
import { SubjectChoice } from '../figure/SubjectChoice';
import { currentPlayer, drawingOf, figureSubjects, focusedSubject } from '../figure/subjects';
import { durationsOf, frameSize, record, recordedSteps, SHORTEST } from './record';
import '../figure/picture.css';

const LABELS: Readonly<Record<FilmKind, string>> = { gif: 'GIF', mp4: 'MP4', webm: 'WebM' };
/** Steps per second, in addition to the player's own. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const SCALES = [0.5, 1, 2];
const NAMES: Readonly<Record<string, string>> = { '0.5': 'half', '1': 'normal', '2': 'double' };
/** Pixels. Wider animations take long to record. */
const WIDEST = 2400;

interface Working {
  readonly done: number;
  readonly of: number;
}

/** Saves the player's steps, from first to last, as a GIF or a video. */
export function AnimationEntry({ page, at }: ExportProps) {
  const subjects = useMemo(() => figureSubjects(page), [page]);
  const player = useMemo(currentPlayer, []);
  const [index, setIndex] = useState(() => focusedSubject(subjects, at));
  const subject = subjects[index];
  const [title, setTitle] = useState<string | null>(null);
  const [speed, setSpeed] = useState(player?.speed ?? 2);
  const [scale, setScale] = useState(1);
  const [working, setWorking] = useState<Working | null>(null);
  const [said, say] = useState('');
  const [asVideo, setAsVideo] = useState(false);
  const [video, setVideo] = useState<FilmKind | null>();
  const kind: FilmKind = (asVideo && video) || 'gif';
  const aborter = useRef<AbortController | null>(null);
  const heading = title ?? subject?.title ?? '';
  const drawing = useMemo(
    () => subject && drawingOf(page, subject, { title: heading, words: true }),
    [page, subject, heading],
  );
  useEffect(() => {
    if (!drawing) return;
    let current = true;
    const { width, height } = frameSize(drawing, scale);
    const found = (of: FilmKind | null) => current && setVideo(of);
    videoKind(width, height).then(found, () => found(null));
    return () => {
      current = false;
    };
  }, [drawing, scale]);
  useEffect(() => () => aborter.current?.abort(), []);
  if (!subject || !drawing) return <p role="status">There is nothing to export yet.</p>;
  if (!player || player.total === 0) {
    return <p role="status">This view has no player to record. Open the Overview, for example.</p>;
  }

  const steps = recordedSteps(player.total);
  const times = durationsOf(steps, speed);
  const every = (steps[1] ?? 1) - (steps[0] ?? 0);
  const size = (of: number) => `${Math.ceil(drawing.width * of)} × ${Math.ceil(drawing.height * of)}`;
  const make = async () => {
    const controller = new AbortController();
    aborter.current = controller;
    setWorking({ done: 0, of: steps.length });
    say('');
    try {
      const options = { kind, index, title: heading, speed, scale };
      const blob = await record(page, options, (done, of) => setWorking({ done, of }), controller.signal);
      const file = `conv2d-${subject.name}.${kind}`;
      saveFile(file, blob);
      say(`${file} was saved: ${steps.length} frames, ${Math.max(1, Math.round(blob.size / 1000))} kB.`);
    } catch (cause) {
      if (controller.signal.aborted) say('Canceled. Nothing was saved.');
      else say(`The animation failed: ${cause instanceof Error ? cause.message : 'unknown error'}.`);
    }
    setWorking(null);
  };
  return (
    <div class="picture">
      <div class="picture__choices">
        <SubjectChoice {...{ subjects, index, heading }} onIndex={setIndex} onTitle={setTitle} />
        <Segmented
          label="file"
          quiet
          options={[
            { value: 'gif', label: 'GIF', hint: 'plays wherever images are shown' },
            ...(video ? [{ value: video, label: LABELS[video], hint: 'video: smaller, for slides and browsers' }] : []),
          ]}
          value={kind}
          onChange={(of) => setAsVideo(of !== 'gif')}
        />
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
          options={SCALES.filter((of) => of <= 1 || drawing.width * of <= WIDEST).map((of) => ({
            value: String(of),
            label: `${NAMES[String(of)]}, ${size(of)}`,
          }))}
          value={String(scale)}
          onChange={(value) => setScale(Number(value))}
        />
      </div>
      <Preview drawing={drawing} />
      {working ? (
        <Progress
          label={`frame ${working.done} of ${working.of}`}
          fraction={working.done / working.of}
          onCancel={() => aborter.current?.abort()}
        />
      ) : (
        <div class="picture__end">
          <Button kind="primary" onClick={() => void make()}>
            Save {LABELS[kind]}
          </Button>
          <span class="picture__size">
            {steps.length} frames{every > 1 ? `, one every ${every} steps` : ''},{' '}
            {seconds(times.reduce((sum, time) => sum + time, 0))}
            {times[0] === SHORTEST && 1000 * every < SHORTEST * speed ? ' (at most 50 frames per second)' : ''}
            {video === null ? '. This browser cannot record video.' : ''}
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
