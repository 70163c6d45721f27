import { useState } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { arrange, orderOf } from '../../formats/layouts';
import { writeNpy } from '../../formats/npy';
import { type NamedValues, writeNpz } from '../../formats/npz';
import { TEXT_STYLES, type TextStyle, writeText } from '../../formats/write-text';
import type { Layout, TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import type { Page } from '../page';
import { Sheet } from '../Sheet';
import { saveFile } from '../save-file';
import { saveCase } from './save-case';
import './numbers-sheet.css';

const NAMES: readonly TensorName[] = ['x', 'w', 'b', 'dy', 'y', 'dx', 'dw', 'db'];
const STYLES = Object.keys(TEXT_STYLES) as readonly TextStyle[];

/** The tensors of the picture as text for the clipboard, or as files of NumPy. */
export function WriteSheet({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const [wanted, setWanted] = useState<TensorName>('y');
  const [style, setStyle] = useState<TextStyle>('tabs');
  const [said, say] = useState('');
  const tensors = page.scene.value?.tensors ?? {};
  const layout = page.scene.value?.geometry.layout ?? 'nhwc';
  const all = NAMES.flatMap((name): readonly NamedValues[] => {
    const tensor = tensors[name];
    // b and db are k numbers to everybody else.
    return tensor
      ? [{ name, shape: name === 'b' || name === 'db' ? [tensor.data.length] : tensor.shape, values: tensor.data }]
      : [];
  });
  const one = all.find(({ name }) => name === wanted) ?? all[0];
  if (!one) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(writeText(style, isTable(style) ? asPlanes(one, layout) : one));
      say(`${one.name} was copied: ${TEXT_STYLES[style]}.`);
    } catch {
      say('The browser did not allow copying.');
    }
  };
  const saved = (file: string, bytes: Uint8Array) => {
    saveFile(file, new Blob([Uint8Array.from(bytes)]));
    say(`${file} was saved.`);
  };
  return (
    <Sheet title="Copy or save numbers" onClose={onClose}>
      <div class="numbers">
        <Select
          label="tensor"
          options={all.map(({ name, shape }) => ({ value: name as TensorName, label: `${name} ${shapeText(shape)}` }))}
          value={one.name as TensorName}
          onChange={setWanted}
        />
        <Select
          label="copied as"
          options={STYLES.map((value) => ({ value, label: TEXT_STYLES[value] }))}
          value={style}
          onChange={setStyle}
        />
        <div class="numbers__end">
          <Button kind="primary" onClick={() => void copy()}>
            Copy {one.name}
          </Button>
          <Button onClick={() => saved(`${one.name}.npy`, writeNpy(one.shape, one.values))}>Save {one.name}.npy</Button>
          <Button onClick={() => saved('conv2d.npz', writeNpz(all))}>Save all as .npz</Button>
          <Button onClick={() => void saveCase(page).then(say)}>Save as case file</Button>
        </div>
        <p class="value-source__note">
          A case file (.json) holds the whole problem with its results and how far they may be off. Opened here, it
          looks as it does now.
        </p>
        <p role="status">{said}</p>
      </div>
    </Sheet>
  );
}

const isTable = (style: TextStyle): boolean => style === 'tabs' || style === 'commas';

/** Rows and columns as they are seen: of each channel, or of each kernel, a matrix of its own. */
function asPlanes(tensor: NamedValues, layout: Layout): NamedValues {
  const { name, shape, values } = tensor;
  const [axes, order] = [layout, 'nchw' as const].map((one) => orderOf(name as TensorName, one));
  if (!axes || !order || axes.length === 1) return tensor;
  const sizes = [...order].map((letter) => shape[axes.indexOf(letter)] ?? 1);
  return { name, shape: sizes, values: arrange(values, { axes, shape }, order) };
}
