import { useState } from 'preact/hooks';
import { type FileContents, refusalText, type TensorHeader } from '../../formats/format';
import type { KnownInput, KnownInputs, LinkInput } from '../../link/field';
import { catchOutOfMemory, type EditResult } from '../../state/edits';
import type { EditOrigin, Store } from '../../state/store';
import { type Block, editBlock, fitOf } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Checkbox } from '../../ui/controls/Choice';
import { RefusalNotice } from '../../ui/notices';
import { counted } from '../../ui/quantities';
import type { Page } from '../page/page';
import { savedInputs } from './layer-arrays';
import type { PinnedInputCell } from './opened-arrays';

export interface SavedProblemProps {
  readonly page: Page;
  readonly opened: FileContents;
  readonly onTaken: () => void;
}

/** Opens a file that this page saved: its link is opened like any other, with the values of the file. */
export function OpenSavedProblem({ page, opened, onTaken }: SavedProblemProps) {
  const [why, setWhy] = useState<string | null>(null);
  const open = async () => {
    const knownInputs = await numbersFor(opened);
    if (typeof knownInputs === 'string') return setWhy(knownInputs);
    // Errors of the link are shown above the view.
    await page.address.open(opened.link, 'link', false, knownInputs);
    onTaken();
  };
  return (
    <div class="numbers__question grid">
      <p>This page saved this file, with the view and its settings.</p>
      <div class="numbers__end row wrap loose">
        <Button kind="primary" onClick={() => void open()}>
          Open as saved
        </Button>
        <RefusalNotice why={why} />
      </div>
      <p class="value-source__note note">Or check its arrays, or import them:</p>
    </div>
  );
}

/** The values of the inputs that a link may omit. With a loss, dy is the omitted target. */
async function numbersFor({ tensors, link }: FileContents): Promise<KnownInputs | string> {
  const knownInputs: { [Name in LinkInput]?: KnownInput } = {};
  const names = tensors.map(({ name }) => name);
  for (const { input, array, field } of savedInputs(names, link)) {
    const listed = tensors.find(({ name }) => name === array);
    if (!listed || (input === 'dy' && !/(?:^|&)dy=values/.test(link))) continue;
    const read = await listed.read();
    if ('refusal' in read) return refusalText(read.refusal);
    knownInputs[input] = { data: read.values, edited: new RegExp(`${field}[^&]*~omitted`).test(link) };
  }
  return knownInputs;
}

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
export function PasteBlock({ page: { store, currentContent }, listed, at, name, onTaken }: PasteBlockProps) {
  const [grows, setGrows] = useState(false);
  const [why, setWhy] = useState<string | null>(null);
  const [rows, cols] = [listed.shape.at(-2) ?? 1, listed.shape.at(-1) ?? 1];
  const { tensor } = at;
  const fit = fitOf(store.layer.value.desc, { ...at, rows, cols, values: new Float32Array() });
  const put = async () => {
    const read = await listed.read();
    if ('refusal' in read) return setWhy(refusalText(read.refusal));
    const problem = store.problem.peek();
    const block: Block = { ...at, rows, cols, values: read.values };
    const dy = store.shown.peek()?.problem === problem ? (currentContent.peek()?.tensors.dy?.data ?? null) : null;
    const edit = () => editBlock(problem, store.layer.peek().index, block, grows, dy);
    const refused = acceptEdit(store, edit, { field: tensor, text: name });
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
      <div class="numbers__end row wrap loose">
        <Button kind="primary" onClick={() => void put()}>
          Paste
        </Button>
        <RefusalNotice why={why} />
      </div>
    </>
  );
}

function overText(tensor: string, [rows, cols]: readonly [number, number]): string {
  const parts = [rows > 0 && counted(rows, 'row'), cols > 0 && counted(cols, 'column')].filter(Boolean);
  return `Too large for ${tensor} by ${parts.join(' and ')}.`;
}

/** Makes the edit; returns the error if there is not enough memory or a lock refuses it, else null. */
export function acceptEdit(store: Store, edit: () => EditResult, origin: EditOrigin): string | null {
  const edited = catchOutOfMemory(edit);
  if ('error' in edited) return edited.error.message;
  store.accept(edited, origin, 'sizes');
  if (store.problem.peek() === edited.problem) return null;
  return store.draft.peek()?.error.message ?? 'the change was refused';
}
