import { useState } from 'preact/hooks';
import { type Listed, type Opened, sentenceOf } from '../../formats/format';
import { type Block, editBlock, fitOf } from '../../state/block-edits';
import { affordable } from '../../state/edits';
import { Button } from '../../ui/controls/Button';
import { Checkbox } from '../../ui/controls/Choice';
import { Refusal } from '../../ui/Refusal';
import type { Page } from '../page';
import { accepted } from './accepted';
import type { ChosenCell } from './numbers';

/** One table, row or number without a name. */
export function blockOf({ tensors, desc }: Opened): Listed | null {
  const [only, ...others] = tensors;
  if (!only || others.length > 0 || desc || only.name !== '') return null;
  return only.shape.slice(0, -2).every((size) => size === 1) ? only : null;
}

interface PutBlockProps {
  readonly page: Page;
  readonly listed: Listed;
  readonly at: ChosenCell;
  /** "x[0,1]" */
  readonly name: string;
  readonly onTaken: () => void;
}

/** Puts a table into one slice of an input, from the chosen cell on. */
export function PutBlock({ page: { store, scene }, listed, at, name, onTaken }: PutBlockProps) {
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
    const edited = affordable(() => editBlock(problem, block, grows, dy));
    if ('error' in edited) return setWhy(edited.error.message);
    const refused = accepted(store, edited.problem, { field: tensor, text: name });
    if (refused !== null) return setWhy(refused);
    onTaken();
  };
  return (
    <>
      <p>
        {rows === 1 && cols === 1 ? 'One number goes' : `${rows} × ${cols} numbers go`} into {tensor}, from {name} on,
        in the slice that is shown.
      </p>
      {fit?.over.some((count) => count > 0) && (
        <p>
          {overText(tensor, fit.over)}
          {grows && fit.grown ? '' : ' What does not fit is left out.'}
        </p>
      )}
      {fit?.grown && fit.over.some((count) => count > 0) && (
        <Checkbox label={`Let ${tensor} grow so that all fit`} checked={grows} onChange={setGrows} />
      )}
      <div class="numbers__end">
        <Button kind="primary" onClick={() => void put()}>
          Put them there
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
  return `${parts.join(' and ')} of it would lie beyond the edge of ${tensor}.`;
}
