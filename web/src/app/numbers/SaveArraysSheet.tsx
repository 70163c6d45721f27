import { useState } from 'preact/hooks';
import { questionsOf } from '../../compute/questions';
import { refusalText, shapeText } from '../../formats/format';
import { arrange, orderOf } from '../../formats/layouts';
import { type NamedValues, writeNpy, writeNpz } from '../../formats/npy';
import { writeSafetensors } from '../../formats/safetensors';
import { TEXT_STYLES, type TextStyle, writeCase, writeText } from '../../formats/write';
import { writeLink } from '../../link/write-link';
import { numberOf } from '../../protocol/layers';
import type { Layout, TensorName } from '../../protocol/problem';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { LayoutSwitch } from '../page/LayoutSwitch';
import type { Page } from '../page/page';
import { Sheet } from '../page/Sheet';
import { saveFile } from '../page/save-file';
import { useCopy } from '../page/use-copy';
import { layerArrays } from './layer-arrays';
import './numbers-sheet.css';

const STYLES = Object.keys(TEXT_STYLES) as readonly TextStyle[];

/** Copies the tensors as text, or saves them as NumPy files or as a case file. */
export function SaveArraysSheet({ page, onClose }: { readonly page: Page; readonly onClose: () => void }) {
  const [selected, setSelected] = useState<TensorName>('y');
  const [style, setStyle] = useState<TextStyle>('tabs');
  const { copy, say, outcome } = useCopy();
  const content = page.currentContent.value;
  const all = content ? layerArrays([content]) : [];
  const one = all.find(({ name }) => name === selected) ?? all[0];
  if (!content || !one) return null;
  const { layout } = content.geometry;
  const number = numberOf(content.layers, content.index);
  /** All arrays, and the link that restores their layers. */
  const whole = (): readonly [arrays: readonly NamedValues[], link: string] => [
    layerArrays(content.layers),
    number && writeLink(page.address.seen()).hash,
  ];
  const text = () => writeText(style, style === 'tabs' || style === 'commas' ? asPlanes(one, layout) : one);
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
        <LayoutSwitch page={page} />
        <div class="numbers__end row wrap loose">
          <Button kind="primary" onClick={() => void copy(one.name, text(), `: ${TEXT_STYLES[style]}`)}>
            Copy {one.name}
          </Button>
          <Button onClick={() => saved(`${one.name}.npy`, writeNpy(one.shape, one.values))}>Save {one.name}.npy</Button>
          <Button onClick={() => saved('conv2d.npz', writeNpz(...whole()))}>Save all as .npz</Button>
          <Button onClick={() => saved('conv2d.safetensors', writeSafetensors(...whole()))}>
            Save all as .safetensors
          </Button>
          <Button onClick={() => void saveCase(page).then(say)}>Save as case file</Button>
        </div>
        <p class="value-source__note note">
          A case file (.json) holds {number ? 'the open layer' : 'the whole problem'}, its results and their tolerances.
          Open it here to restore this view.
          {number &&
            ` The list has the tensors of layer ${number}, which is open. The other files have all layers, as layer1.w or layer2.dy. Open them to restore the network.`}
        </p>
        {outcome}
      </div>
    </Sheet>
  );
}

/** One matrix per channel or kernel, with the rows and columns of the page. */
function asPlanes(tensor: NamedValues, layout: Layout): NamedValues {
  const { name, shape, values } = tensor;
  const [axes, order] = [layout, 'nchw' as const].map((one) => orderOf(name as TensorName, one));
  if (!axes || !order || axes.length === 1) return tensor;
  const sizes = [...order].map((letter) => shape[axes.indexOf(letter)] ?? 1);
  return { name, shape: sizes, values: arrange(values, { axes, shape }, order) };
}

/** Saves the shown problem with its results as a case file. Returns the message to show. */
async function saveCase({ client, currentContent, address }: Page): Promise<string> {
  const content = currentContent.peek();
  const { x, w, b, dy, y, dx, dw, db } = content?.tensors ?? {};
  if (!content || !x || !w || !dy || !y || !dx || !dw || !db)
    return 'Not everything is computed yet. Try again in a moment.';
  const { hash, omitted } = writeLink(address.seen());
  if (numberOf(content.layers, content.index) && omitted.length > 0)
    return 'Not saved: a case file has one layer, and the others do not fit into its link. Save as .npz.';
  // The library computes the tolerances.
  const { revision, index: layer, geometry } = content;
  const rounding = await questionsOf(client).once(revision, { kind: 'rounding', layer });
  if (rounding.status === 'failed') return `Not saved: ${rounding.error.message}.`;
  if (rounding.status !== 'answered') return 'Not saved, because the problem changed meanwhile. Try again.';
  const text = writeCase({
    name: nameOf(geometry),
    geometry,
    inputs: { x: x.data, w: w.data, b: b?.data ?? null, dy: dy.data },
    results: { y: y.data, dx: dx.data, dw: dw.data, db: db.data },
    atol: rounding.answer,
    link: hash,
  });
  if (typeof text !== 'string') return `Not saved: ${refusalText(text.refusal)}.`;
  const file = `${nameOf(geometry)}.json`;
  saveFile(file, new Blob([text], { type: 'application/json' }));
  return `Saved ${file}.`;
}

/** "conv2d-1x7x7x1-3x3x1": named by its sizes, so that several files fit in one folder. */
const nameOf = ({ n, h, w, c, kh, kw, k }: { readonly [Name in 'n' | 'h' | 'w' | 'c' | 'kh' | 'kw' | 'k']: number }) =>
  `conv2d-${n}x${h}x${w}x${c}-${kh}x${kw}x${k}`;
