import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FilmKind } from '../../../film/messages';
import { codecFor } from '../../../film/webm';
import { Button } from '../../../ui/controls/Button';
import { Segmented, Select } from '../../../ui/controls/Choice';
import { Progress } from '../../../ui/controls/Progress';
import { saveFile } from '../../save-file';
import type { ExportProps } from '../entry';
import { drawOn } from '../picture/files';
import { SubjectChoice } from '../picture/SubjectChoice';
import { drawingOf, nearest, playerOn, subjectsOn } from '../picture/subjects';
import { record, SHORTEST, stepsShown, timesOf } from './record';
import '../picture/picture.css';

/** Steps a second that can be chosen beside that of the player. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const SCALES = [0.5, 1, 2];
const NAMES: Readonly<Record<string, string>> = { '0.5': 'half', '1': 'as on the page', '2': 'twice' };
/** Wider ones take long to make, and none is looked at so large. */
const WIDEST = 2400;

interface Working {
  readonly done: number;
  readonly of: number;
}

/** What the player plays, from the first step to the last, as a file that moves. */
export function FilmEntry({ page, at }: ExportProps) {
  const subjects = useMemo(() => subjectsOn(page), [page]);
  const player = useMemo(playerOn, []);
  const [index, setIndex] = useState(() => nearest(subjects, at));
  const subject = subjects[index];
  const [title, setTitle] = useState<string | null>(null);
  const [kind, setKind] = useState<FilmKind>('gif');
  const [speed, setSpeed] = useState(player?.speed ?? 2);
  const [scale, setScale] = useState(1);
  const [working, setWorking] = useState<Working | null>(null);
  const [said, say] = useState('');
  const [webm, setWebm] = useState<boolean | null>(null);
  const stop = useRef<AbortController | null>(null);
  const preview = useRef<HTMLCanvasElement>(null);
  const heading = title ?? subject?.title ?? '';
  const drawing = useMemo(
    () => subject && drawingOf(page, subject, { title: heading, words: true }),
    [page, subject, heading],
  );
  useEffect(() => {
    codecFor({ kind: 'webm', width: 640, height: 480 }).then(
      (codec) => setWebm(codec !== null),
      () => setWebm(false),
    );
    return () => stop.current?.abort();
  }, []);
  useEffect(() => {
    if (drawing && preview.current) drawOn(preview.current, drawing, 1);
  }, [drawing]);
  if (!subject || !drawing) return <p role="status">There is nothing on the stage yet.</p>;
  if (!player || player.total === 0) {
    return <p role="status">Nothing moves in this mode: it has no player below the stage. Step by step has one.</p>;
  }

  const steps = stepsShown(player.total);
  const times = timesOf(steps, speed);
  const every = (steps[1] ?? 1) - (steps[0] ?? 0);
  const size = (of: number) => `${Math.ceil(drawing.width * of)} × ${Math.ceil(drawing.height * of)}`;
  const make = async () => {
    const aborter = new AbortController();
    stop.current = aborter;
    setWorking({ done: 0, of: steps.length });
    say('');
    try {
      const film = { kind, index, title: heading, speed, scale };
      const blob = await record(page, film, (done, of) => setWorking({ done, of }), aborter.signal);
      const file = `conv2d-${subject.name}.${kind}`;
      saveFile(file, blob);
      say(`${file} was saved: ${steps.length} pictures, ${Math.max(1, Math.round(blob.size / 1000))} kB.`);
    } catch (cause) {
      if (aborter.signal.aborted) say('Cancelled: nothing was saved.');
      else say(`There is no animation: ${cause instanceof Error ? cause.message : 'something failed'}.`);
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
            { value: 'gif', label: 'GIF', hint: 'moves wherever pictures are shown' },
            ...(webm
              ? [{ value: 'webm', label: 'WebM', hint: 'a video: smaller, for slides and browsers' } as const]
              : []),
          ]}
          value={kind}
          onChange={setKind}
        />
        <Select
          label="steps a second"
          options={[...new Set([...SPEEDS, player.speed])]
            .sort((a, b) => a - b)
            .map((of) => ({ value: String(of), label: of === player.speed ? `${of}, as the player` : String(of) }))}
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
      <div class="picture__preview">
        <canvas ref={preview} role="img" aria-label={`${drawing.title}. ${drawing.description}`} />
      </div>
      {working ? (
        <Progress
          label={`picture ${working.done} of ${working.of}`}
          fraction={working.done / working.of}
          onCancel={() => stop.current?.abort()}
        />
      ) : (
        <div class="picture__end">
          <Button kind="primary" onClick={() => void make()}>
            Make and save {kind === 'gif' ? 'GIF' : 'WebM'}
          </Button>
          <span class="picture__size">
            {steps.length} pictures{every > 1 ? `, every ${every} steps one` : ''},{' '}
            {seconds(times.reduce((sum, time) => sum + time, 0))}
            {times[0] === SHORTEST && 1000 * every < SHORTEST * speed
              ? ', no faster: 50 pictures a second are the most'
              : ''}
            {webm === false ? '. This browser makes no WebM, only GIF.' : ''}
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
