import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../../ui/controls/Button';
import { Checkbox } from '../../../ui/controls/Choice';
import { theme } from '../../../ui/theme';
import { toClipboard } from '../../page/clipboard';
import { saveFile } from '../../page/save-file';
import { COPY_BLOCKED } from '../../page/use-copy';
import type { ExportProps } from '../entry';
import { pngOf, scaleOf, sizeOf, svgOf } from './files';
import { Preview } from './Preview';
import { SubjectChoice } from './SubjectChoice';
import { currentPlayer, drawingOf, figureSubjects, focusedSubject } from './subjects';
import './picture.css';

/** Saves the view or one of its panels as PNG or SVG. */
export function FigureEntry({ page, at }: ExportProps) {
  const subjects = useMemo(() => figureSubjects(page), [page]);
  const [index, setIndex] = useState(() => focusedSubject(subjects, at));
  const subject = subjects[index];
  const [title, setTitle] = useState<string | null>(null);
  const [words, setWords] = useState(true);
  const [said, say] = useState('');
  const tone = theme.value;
  const heading = title ?? subject?.title ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme changes all colors
  const drawing = useMemo(
    () => subject && drawingOf(page, subject, { title: heading, words, sentence: words ? played() : undefined }),
    [page, subject, heading, words, tone],
  );
  if (!subject || !drawing) return <p role="status">There is nothing to export yet.</p>;

  const scale = scaleOf(drawing);
  const { width, height } = sizeOf(drawing, scale);
  const name = `conv2d-${subject.name}`;
  const save = async (file: string, make: () => Blob | Promise<Blob>) => {
    try {
      saveFile(file, await make());
      say(`${file} was saved.`);
    } catch {
      say('The figure was not saved: it may be too large for this browser.');
    }
  };
  const copy = async () => {
    const isCopied = await toClipboard(pngOf(drawing), 'image/png');
    say(isCopied ? 'Figure copied.' : `${COPY_BLOCKED} Save the figure instead.`);
  };
  return (
    <div class="picture">
      <div class="picture__choices">
        <SubjectChoice {...{ subjects, index, heading }} onIndex={setIndex} onTitle={setTitle} />
        <Checkbox label="sizes and legend" checked={words} onChange={setWords} />
      </div>
      <Preview drawing={drawing} />
      <div class="picture__end">
        <Button kind="primary" onClick={() => void save(`${name}.png`, () => pngOf(drawing))}>
          Save PNG
        </Button>
        <Button onClick={() => void save(`${name}.svg`, () => svgOf(drawing))}>Save SVG</Button>
        <Button onClick={() => void copy()}>Copy PNG</Button>
        <span class="picture__size">
          {width} × {height} pixels
          {scale < 2 ? `, scaled by ${scale.toFixed(1)}: the largest size that browsers allow` : ''}
        </span>
      </div>
      <p role="status">{said}</p>
    </div>
  );
}

/** Sentence of the current step of the player. */
function played(): string | undefined {
  const player = currentPlayer();
  return player && player.value > 0 ? player.sentence : undefined;
}
