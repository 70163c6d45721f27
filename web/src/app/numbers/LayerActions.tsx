import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FileContents, FileTensor } from '../../formats/format';
import { comparableOf, openable, valuesOf } from '../../formats/judged-layer';
import { RESULTS } from '../../protocol/problem';
import type { FileVerdict, LayerVerdict } from '../../protocol/verdict';
import { openOf } from '../../state/problem';
import { Button } from '../../ui/controls/Button';
import { RefusalNotice } from '../../ui/notices';
import type { Page } from '../page/page';
import type { Compared, Imported } from './Comparisons';
import { usesPage } from './judge-request';
import { editLayer, notShownText } from './open-layer';
import { acceptEdit } from './PasteBlock';

interface LayerActionsProps {
  readonly page: Page;
  readonly name: string;
  readonly opened: FileContents;
  readonly verdict: FileVerdict;
  readonly layer: LayerVerdict;
  readonly read: ReadonlyMap<number, FileTensor>;
  readonly onCompare: (compared: Compared) => void;
  readonly onTaken: () => void;
  /** More buttons. */
  readonly children: ComponentChildren;
}

/** Opens the layer on the page, or shows it cell by cell beside the results of the page. */
export function LayerActions(props: LayerActionsProps) {
  const { page, name, opened, verdict, layer, read, onCompare, onTaken } = props;
  const { store } = page;
  const [why, setWhy] = useState<string | null>(null);
  const isOfPage = layer.arrays.x === undefined && layer.arrays.w === undefined && usesPage(verdict, 'xw');
  const layerOfPage = isOfPage ? null : openable(layer, opened, openOf(store.problem.value).desc);
  if (layerOfPage === null) return <CompareWithPage {...props} />;
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
    const edit = () => editLayer(store.problem.peek(), layer, layerOfPage, values, name);
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

const importedOf = (layer: LayerVerdict, values: ReturnType<typeof valuesOf>): Compared =>
  RESULTS.flatMap((result): readonly Imported[] => {
    const [data, tensor] = [values[result], layer.tensors[result]];
    return data && tensor ? [{ result, values: data, verdict: tensor }] : [];
  });

/** Results of a file without x and w: they were judged with those of the page. */
function CompareWithPage({ page, layer, read, onCompare, children }: LayerActionsProps) {
  const content = page.scene.value;
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
