import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/Button';
import { Checkbox } from '../../../ui/controls/Choice';
import { theme } from '../../../ui/theme';
import { saveFile } from '../../save-file';
import type { ExportProps } from '../entry';
import { drawOn, pngOf, scaleOf, svgOf } from './files';
import { SubjectChoice } from './SubjectChoice';
import { drawingOf, nearest, playerOn, subjectsOn } from './subjects';
import './picture.css';

/** The stage or one of its panels as a file, as it looks now. */
export function PictureEntry({ page, at }: ExportProps) {
  const subjects = useMemo(() => subjectsOn(page), [page]);
  const [index, setIndex] = useState(() => nearest(subjects, at));
  const subject = subjects[index];
  const [title, setTitle] = useState<string | null>(null);
  const [words, setWords] = useState(true);
  const [said, say] = useState('');
  const preview = useRef<HTMLCanvasElement>(null);
  const tone = theme.value;
  const heading = title ?? subject?.title ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: in other colours everything is measured anew
  const drawing = useMemo(
    () => subject && drawingOf(page, subject, { title: heading, words, sentence: words ? played() : undefined }),
    [page, subject, heading, words, tone],
  );
  useEffect(() => {
    if (drawing && preview.current) drawOn(preview.current, drawing, Math.min(1, scaleOf(drawing)));
  }, [drawing]);
  if (!subject || !drawing) return <p role="status">There is nothing on the stage yet.</p>;

  const scale = scaleOf(drawing);
  const size = `${Math.round(Math.ceil(drawing.width) * scale)} × ${Math.round(Math.ceil(drawing.height) * scale)}`;
  const name = `conv2d-${subject.name}`;
  const save = async (file: string, make: () => Blob | Promise<Blob>) => {
    try {
      saveFile(file, await make());
      say(`${file} was saved.`);
    } catch {
      say('The browser could not make the picture: it may be too large for it.');
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(drawing) })]);
      say('The picture was copied.');
    } catch {
      say('The browser did not allow copying; the picture can be saved.');
    }
  };
  return (
    <div class="picture">
      <div class="picture__choices">
        <SubjectChoice {...{ subjects, index, heading }} onIndex={setIndex} onTitle={setTitle} />
        <Checkbox label="sizes, and what the signs mean" checked={words} onChange={setWords} />
      </div>
      <div class="picture__preview">
        <canvas ref={preview} role="img" aria-label={`${drawing.title}. ${drawing.description}`} />
      </div>
      <div class="picture__end">
        <Button kind="primary" onClick={() => void save(`${name}.png`, () => pngOf(drawing))}>
          Save PNG
        </Button>
        <Button onClick={() => void save(`${name}.svg`, () => svgOf(drawing))}>Save SVG</Button>
        <Button onClick={() => void copy()}>Copy PNG</Button>
        <span class="picture__size">
          {size} pixels{scale < 2 ? `, ${scale.toFixed(1)} for one of the page: browsers refuse larger ones` : ''}
        </span>
      </div>
      <p role="status">{said}</p>
    </div>
  );
}

/** What the step shows at which a process was stopped. */
function played(): string | undefined {
  const player = playerOn();
  return player && player.value > 0 ? player.sentence : undefined;
}
