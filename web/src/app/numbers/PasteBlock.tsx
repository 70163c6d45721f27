import { useState } from 'preact/hooks';
import { type FileContents, sentenceOf, type TensorHeader } from '../../formats/format';
import { catchOutOfMemory } from '../../state/edits';
import { type Block, editBlock, fitOf } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Checkbox } from '../../ui/controls/Choice';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page/page';
import { acceptEdit } from './accept-edit';
import type { PinnedInputCell } from './opened-arrays';

/** The array to paste, if it is a single unnamed table, row or value. */
export function blockOf({ tensors, desc }: FileContents): TensorHeader | null {
  const [only, ...others] = tensors;
  if (!only || others.length > 0 || desc || only.name !== '') return null;
  return only.shape.slice(0, -2).every((size) => size === 1) ? only : null;
}

interface PasteBlockProps {
  readonly page: Page;
  readonly listed: TensorHeader;
  readonly at: PinnedInputCell;
  /** "x[0,1]" */
  readonly name: string;
  readonly onTaken: () => void;
}

/** Pastes a table into the visible slice of an input, starting at the pinned cell. */
export function PasteBlock({ page: { store, scene }, listed, at, name, onTaken }: PasteBlockProps) {
  const [grows, setGrows] = useState(false);
  const [why, setWhy] = useState<string | null>(null);
  const [rows, cols] = [listed.shape.at(-2) ?? 1, listed.shape.at(-1) ?? 1];
  const { tensor } = at;
  const fit = fitOf(store.problem.value.desc, { ...at, rows, cols, values: new Float32Array() });
  const put = async () => {
    const read = await listed.read();
    if ('refusal' in read) return setWhy(sentenceOf(read.refusal));
    const problem = store.problem.peek();
    const block: Block = { ...at, rows, cols, values: read.values };
    const dy = store.shown.peek()?.problem === problem ? (scene.peek()?.tensors.dy?.data ?? null) : null;
    const edited = catchOutOfMemory(() => editBlock(problem, block, grows, dy));
    if ('error' in edited) return setWhy(edited.error.message);
    const refused = acceptEdit(store, edited.problem, { field: tensor, text: name });
    if (refused !== null) return setWhy(refused);
    onTaken();
  };
  return (
    <>
      <p>
        {rows === 1 && cols === 1 ? '1 value goes' : `${rows} × ${cols} values go`} into {tensor}, starting at {name},
        in the visible slice.
      </p>
      {fit?.over.some((count) => count > 0) && (
        <p>
          {overText(tensor, fit.over)}
          {grows && fit.grown ? '' : ' What does not fit is left out.'}
        </p>
      )}
      {fit?.grown && fit.over.some((count) => count > 0) && (
        <Checkbox label={`Enlarge ${tensor} to fit`} checked={grows} onChange={setGrows} />
      )}
      <div class="numbers__end">
        <Button kind="primary" onClick={() => void put()}>
          Paste
        </Button>
        <Refusal why={why} />
      </div>
    </>
  );
}

function overText(tensor: string, [rows, cols]: readonly [number, number]): string {
  const parts = [
    rows > 0 ? `${rows} ${rows === 1 ? 'row' : 'rows'}` : '',
    cols > 0 ? `${cols} ${cols === 1 ? 'column' : 'columns'}` : '',
  ].filter((part) => part !== '');
  return `Too large for ${tensor} by ${parts.join(' and ')}.`;
}
