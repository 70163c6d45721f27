import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type FileContents, shapeText } from '../../formats/format';
import {
  comparableOf,
  type LayerValues,
  type NotShown,
  type OpenableLayer,
  openable,
  upstreamOf,
  valuesOf,
} from '../../formats/judged-layer';
import { INPUTS, type InputName, RESULTS } from '../../protocol/problem';
import { xShape, yShape } from '../../protocol/shapes';
import {
  type ArraysOfLayer,
  type FileVerdict,
  type LayerChoice,
  type LayerVerdict,
  ROLES,
  type Role,
} from '../../protocol/verdict';
import { resized } from '../../sources/inputs';
import { given } from '../../sources/loss';
import type { EditResult } from '../../state/edits';
import { type Problem, problemOfLayer, type ShownLayer } from '../../state/problem';
import { editNumbers } from '../../state/value-edits';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { RefusalNotice } from '../../ui/notices';
import { sentence } from '../../ui/quantities';
import { arrayName, type Compared, type Imported, type JudgedLayer, usesPage } from './judge-request';
import { editTransposed, type TransposedFile, transposedFile } from './open-transposed';
import { acceptEdit } from './PasteBlock';
import { KINDS } from './verdict-text';

/** `children`: more buttons. */
type LayerActionsProps = JudgedLayer & { readonly children: ComponentChildren };

/** Opens the layer on the page, or shows it cell by cell beside the results of the page. */
export function LayerActions(props: LayerActionsProps) {
  const { page, name, opened, verdict, layer, read, onCompare, onTaken } = props;
  const { store } = page;
  const [why, setWhy] = useState<string | null>(null);
  const isOfPage = layer.arrays.x === undefined && layer.arrays.w === undefined && usesPage(verdict, 'xw');
  const layerOfPage = isOfPage ? null : openable(layer, opened, store.layer.value.desc);
  if (layerOfPage === null) return <CompareWithPage {...props} />;
  const transposed = transposedFile(layer, opened);
  if (transposed) return <OpenTransposed {...props} transposed={transposed} />;
  if ('why' in layerOfPage) {
    return (
      <div class="numbers__end row wrap loose">
        <Button kind="primary" disabled onClick={() => undefined}>
          Open on the page
        </Button>
        {props.children}
        <span>{notShownText(layer, layerOfPage.why)}</span>
      </div>
    );
  }
  const open = () => {
    const values = valuesOf(layer, layerOfPage, read);
    const edit = () => editLayer(store.problem.peek(), store.layer.peek(), layer, layerOfPage, values, name);
    const refused = acceptEdit(store, edit, { field: 'x', text: name || 'the pasted text' });
    setWhy(refused);
    return refused === null ? values : null;
  };
  const compare = () => {
    const values = open();
    if (values) onCompare(importedOf(layer, values));
  };
  const isJudged = Object.values(layer.tensors).some(({ verdict: word }) => word !== 'cannot_tell');
  const results = isJudged ? comparableOf(layer, layerOfPage, opened) : [];
  return (
    <div class="numbers__end row wrap loose">
      <Button kind="primary" onClick={() => open() && onTaken()}>
        Open on the page
      </Button>
      {results.length > 0 && <Button onClick={compare}>Open and compare cell by cell</Button>}
      {props.children}
      <RefusalNotice why={why} />
    </div>
  );
}

/** A transposed convolution is a layer of a network, which the view Network shows. */
function OpenTransposed(props: LayerActionsProps & { readonly transposed: TransposedFile }) {
  const { page, name, layer, transposed, read, onTaken } = props;
  const { store, look } = page;
  const [why, setWhy] = useState<string | null>(null);
  const open = () => {
    const edit = () => editTransposed(store.problem.peek(), layer, transposed, read, name);
    const refused = acceptEdit(store, edit, { field: 'x', text: name || 'the pasted text' });
    setWhy(refused);
    if (refused !== null) return;
    look.mode.value = 'network';
    onTaken();
  };
  return (
    <div class="numbers__end row wrap loose">
      <Button kind="primary" onClick={open}>
        Open in the view Network
      </Button>
      {props.children}
      <span>The transposed convolution is layer 2. Layer 1 copies x.</span>
      <RefusalNotice why={why} />
    </div>
  );
}

const importedOf = (layer: LayerVerdict, values: ReturnType<typeof valuesOf>): Compared =>
  RESULTS.flatMap((result): readonly Imported[] => {
    const [data, tensor] = [values[result], layer.tensors[result]];
    return data && tensor ? [{ result, values: data, verdict: tensor }] : [];
  });

/** Results of a file without x and w: they were judged with those of the page. */
function CompareWithPage({ page, layer, read, onCompare, children }: LayerActionsProps) {
  const content = page.currentContent.value;
  const values = RESULTS.flatMap((result) => {
    const [index, ours] = [layer.arrays[result], content?.tensors[result]];
    const tensor = index === undefined ? undefined : read.get(index);
    return tensor && tensor.values.length === ours?.data.length ? [[result, tensor.values] as const] : [];
  });
  return (
    <div class="numbers__end row wrap loose">
      {values.length > 0 && (
        <Button onClick={() => onCompare(importedOf(layer, Object.fromEntries(values)))}>Compare cell by cell</Button>
      )}
      {children}
    </div>
  );
}

/** The arrays of a file that are no arguments. */
function arraysOf(opened: FileContents, { layers, unused }: FileVerdict): readonly number[] {
  const used = new Set(layers.flatMap(({ arrays }) => Object.values(arrays)));
  return opened.tensors.flatMap((_, index) =>
    used.has(index) || unused.includes(arrayName(opened, index)) ? [index] : [],
  );
}

/** The other geometries, or assignments of the arrays, that fit as well. Choosing one checks the file again. */
export function Alternatives({ opened, layer, verdict, onCorrect }: JudgedLayer) {
  const { alternatives = [], choices = [], told_apart_by = '' } = layer;
  if (alternatives.length === 0) return null;
  const choose = (one: LayerChoice) => {
    if (one.arrays) return onCorrect({ roles: one.arrays, geometry: null });
    if (!one.geometry) return;
    const arrays = arraysOf(opened, verdict);
    onCorrect({ roles: null, geometry: { layer: layer.name, geometry: one.geometry, arrays } });
  };
  return (
    <div class="judged__alternatives grid tight">
      <p>
        <strong>Others fit as well.</strong> {sentence(told_apart_by)}
      </p>
      <ul>
        {alternatives.map((words) => {
          const choice = choices.find((one) => one.words === words);
          return (
            <li key={words}>
              {words}
              {choice && (
                <Button label={`Use ${words}`} onClick={() => choose(choice)}>
                  Use this
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Which array is which tensor, to be corrected. */
export function ArrayRoles({ opened, layer, correction, onCorrect }: JudgedLayer) {
  const { arrays } = layer;
  const options = [
    { value: null, label: 'none' },
    ...opened.tensors.map(({ shape }, index) => ({
      value: index,
      label: `${arrayName(opened, index)} ${shapeText(shape)}`,
    })),
  ];
  const choose = (role: Role, index: number | null) => {
    const others = (Object.entries(arrays) as [Role, number][]).filter(([name, at]) => name !== role && at !== index);
    const roles: ArraysOfLayer = { ...Object.fromEntries(others), ...(index !== null && { [role]: index }) };
    onCorrect({ roles, geometry: null });
  };
  return (
    <details class="judged__roles" open={correction.roles !== null}>
      <summary>Which array is which tensor</summary>
      <div class="judged__selects">
        {ROLES.map((role) => (
          <Select
            key={role}
            label={role}
            options={options}
            value={arrays[role] ?? null}
            onChange={(value) => choose(role, value)}
          />
        ))}
      </div>
    </details>
  );
}

/** Why the page cannot open a layer, as a sentence. */
function notShownText({ kind }: Pick<LayerVerdict, 'kind'>, why: NotShown): string {
  if (typeof why !== 'string') return sentence(why.sizes);
  if (why === 'geometry') return 'No geometry fits, so the layer cannot be opened on this page.';
  if (why === 'inputs') return 'The layer has no x and w to open on this page.';
  if (kind === 'conv_transpose')
    return 'This is a transposed convolution. To open it, save its x, w and y in one file.';
  return `This page opens convolutions only. This is ${KINDS[kind]}.`;
}

/** Opens the layer in place of the problem, also of a network. */
function editLayer(
  problem: Problem,
  { w, b, desc: before }: ShownLayer,
  layer: LayerVerdict,
  opened: OpenableLayer,
  values: LayerValues,
  name: string,
): EditResult {
  const { layout } = before;
  const x = resized(problem.x, 'pixels', layout, layout, xShape(before));
  const alone = problemOfLayer(before, { x, w, b, loss: given({ kind: 'ones' }) });
  const dy = upstreamOf(layer, yShape(opened.desc), values);
  const tensors: Partial<Record<InputName, Float32Array>> = dy ? { dy } : {};
  for (const input of INPUTS) {
    const data = input === 'dy' ? undefined : values[input];
    if (data) tensors[input] = data;
  }
  const edited = editNumbers(alone, 0, { desc: opened.desc, tensors, name, removesBias: !values.b });
  if ('error' in edited || layer.dy !== 'ones') return edited;
  return { problem: { ...edited.problem, loss: given({ kind: 'ones' }) } };
}
