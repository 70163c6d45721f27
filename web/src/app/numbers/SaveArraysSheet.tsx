import { useState } from 'preact/hooks';
import { shapeText } from '../../formats/format';
import { arrange, orderOf } from '../../formats/layouts';
import { writeNpy } from '../../formats/npy';
import { type NamedValues, writeNpz } from '../../formats/npz';
import { TEXT_STYLES, type TextStyle, writeText } from '../../formats/write-text';
import type { Layout, TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { saveCase } from './save-case';
import './numbers-sheet.css';

const NAMES: readonly TensorName[] = ['x', 'w', 'b', 'dy', 'y', 'dx', 'dw', 'db'];
const STYLES = Object.keys(TEXT_STYLES) as readonly TextStyle[];

/** Copies the tensors as text, or saves them as NumPy files or as a case file. */
export function SaveArraysSheet({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const [selected, setSelected] = useState<TensorName>('y');
  const [style, setStyle] = useState<TextStyle>('tabs');
  const { copy, say, outcome } = useCopy();
  const tensors = page.scene.value?.tensors ?? {};
  const layout = page.scene.value?.geometry.layout ?? 'nhwc';
  const all = NAMES.flatMap((name): readonly NamedValues[] => {
    const tensor = tensors[name];
    // Other tools expect b and db with shape [k].
    return tensor
      ? [{ name, shape: name === 'b' || name === 'db' ? [tensor.data.length] : tensor.shape, values: tensor.data }]
      : [];
  });
  const one = all.find(({ name }) => name === selected) ?? all[0];
  if (!one) return null;
  const text = () => writeText(style, isTable(style) ? asPlanes(one, layout) : one);
  const saved = (file: string, bytes: Uint8Array) => {
    saveFile(file, new Blob([Uint8Array.from(bytes)]));
    say(`Saved ${file}.`);
  };
  return (
    <Sheet title="Copy or save arrays" onClose={onClose}>
      <div class="numbers">
        <Select
          label="tensor"
          options={all.map(({ name, shape }) => ({ value: name as TensorName, label: `${name} ${shapeText(shape)}` }))}
          value={one.name as TensorName}
          onChange={setSelected}
        />
        <Select
          label="format"
          options={STYLES.map((value) => ({ value, label: TEXT_STYLES[value] }))}
          value={style}
          onChange={setStyle}
        />
        <div class="numbers__end">
          <Button kind="primary" onClick={() => void copy(one.name, text(), `: ${TEXT_STYLES[style]}`)}>
            Copy {one.name}
          </Button>
          <Button onClick={() => saved(`${one.name}.npy`, writeNpy(one.shape, one.values))}>Save {one.name}.npy</Button>
          <Button onClick={() => saved('conv2d.npz', writeNpz(all))}>Save all as .npz</Button>
          <Button onClick={() => void saveCase(page).then(say)}>Save as case file</Button>
        </div>
        <p class="value-source__note">
          A case file (.json) holds the whole problem, its results and their tolerances. Open it here to restore this
          view.
        </p>
        {outcome}
      </div>
    </Sheet>
  );
}

const isTable = (style: TextStyle): boolean => style === 'tabs' || style === 'commas';

/** One matrix per channel or kernel, with the rows and columns of the page. */
function asPlanes(tensor: NamedValues, layout: Layout): NamedValues {
  const { name, shape, values } = tensor;
  const [axes, order] = [layout, 'nchw' as const].map((one) => orderOf(name as TensorName, one));
  if (!axes || !order || axes.length === 1) return tensor;
  const sizes = [...order].map((letter) => shape[axes.indexOf(letter)] ?? 1);
  return { name, shape: sizes, values: arrange(values, { axes, shape }, order) };
}
