import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { positionOf } from '../../geometry/grid';
import { swappedName } from '../../geometry/labels';
import { type Cell, isTensor } from '../../protocol/problem';
import type { LayerSumProps } from '../../views/shared/view-model';
import type { SideTabProps } from '../page/page';
import { useAnsweredSubject } from '../questions/answered-subject';
import { type CellSum, cellSumOf } from '../questions/cell-sum';
import { PendingLine } from '../questions/PendingLine';
import { ComputedFrom } from './ComputedFrom';
import './explain.css';

/** The question by the names of the tensors in the worker. */
function swapped({ a, b, of, ...question }: NonNullable<CellSum['question']>) {
  return { ...question, a: swappedName(a), b: b && swappedName(b), of: { ...of, tensor: swappedName(of.tensor) } };
}

/** The sum behind a cell of any layer with weights of a network, as Explain shows it for the open one. */
export function LayerSum({
  page,
  content,
  layer,
  geometry,
  tensors,
  cell,
  isTransposed,
  onCell,
}: LayerSumProps & Pick<SideTabProps, 'page'> & Pick<Parameters<typeof ComputedFrom>[0], 'content'>) {
  const { tensor, index } = cell;
  const biased = tensors.b !== undefined;
  const sum = useMemo(() => {
    const channel = isTransposed && tensor === 'dx' && biased ? positionOf(geometry, { tensor, index }).channel : null;
    return cellSumOf(geometry, { tensor, index }, biased, channel === null ? null : { tensor: 'b', index: channel });
  }, [geometry, tensor, index, biased, isTransposed]);
  const subject = useMemo(
    () => ({
      of: `${layer} ${tensor} ${index}`,
      ...{ revision: content.revision, layer },
      content: { geometry, tensors, cell: { tensor, index }, sum },
      questions: sum?.question ? [isTransposed ? swapped(sum.question) : sum.question] : [],
    }),
    [content.revision, layer, geometry, tensors, tensor, index, sum, isTransposed],
  );
  const { answered, ...asking } = useAnsweredSubject(page.client, subject, {
    fillsIn: true,
    shownRevision: content.revision,
    urgent: true,
  });
  // Its cells are those of the layer, not of the page.
  const look = useMemo(
    () => ({ ...page.look, term: signal([]), pinAndShow: (of: Cell) => onCell(of) }),
    [page.look, onCell],
  );
  const shown = answered?.content ?? subject.content;
  if (!shown.sum) return null;
  const [found] = answered?.answers.of('products') ?? [];
  return (
    <>
      <ComputedFrom
        key={`${layer} ${shown.cell.tensor} ${shown.cell.index}`}
        geometry={shown.geometry}
        cell={shown.cell}
        look={look}
        content={{ ...content, geometry: shown.geometry, tensors: shown.tensors }}
        sum={shown.sum}
        answer={found?.answer ?? null}
        lookUp={({ tensor: of, index: at }) => (isTensor(of) ? (shown.tensors[of]?.data[at] ?? null) : null)}
      />
      <PendingLine {...asking} />
    </>
  );
}
