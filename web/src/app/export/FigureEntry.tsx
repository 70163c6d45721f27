import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Figure } from '../../figure/svg';
import { Button } from '../../ui/controls/Button';
import { Checkbox, Select } from '../../ui/controls/Choice';
import { theme } from '../../ui/theme';
import { toClipboard } from '../page/clipboard';
import type { Page } from '../page/page';
import { saveFile } from '../page/save-file';
import { COPY_BLOCKED } from '../page/use-copy';
import { currentPlayer, figureOf, figureSubjects, pngOf, scaleOf, sizeOf, svgOf } from './figure';

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
        options={subjects.map(({ label }, i) => ({ value: String(i), label }))}
        value={String(index)}
        onChange={(value) => {
          setIndex(Number(value));
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
