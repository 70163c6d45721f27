import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ComputeClient } from '../../../compute/client';
import { at, gridOf, indexAt, type Position } from '../../../geometry/grid';
import { cellName, withIndices } from '../../../geometry/labels';
import { numberOf } from '../../../protocol/layers';
import type { LayerContent } from '../../../protocol/messages';
import { TENSORS, type TensorName } from '../../../protocol/problem';
import { Button } from '../../../ui/controls/Button';
import { ProgressBar, RefusalNotice } from '../../../ui/notices';
import { formatCell } from '../../../ui/numbers';
import { Table } from '../../../ui/Table';
import { Sheet } from '../../page/Sheet';
import { layerWords, upTo } from './counts';
import { type HandedIn, type Solved, solvedAt } from './marking';
import { isValue } from './question';

type Questions = Omit<HandedIn, 'seal'>;

/** Prints a set of exercises. The sheet of paper is beside the page, and shown only in print. */
export function PrintSheet({ onClose, ...questions }: Questions & { onClose: () => void }) {
  const { set, work, subject } = questions;
  const [solved, setSolved] = useState<readonly (Solved | null)[]>([]);
  const paper = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const client = new ComputeClient();
    const sheet = document.body.appendChild(document.createElement('div'));
    sheet.className = 'paper';
    paper.current = sheet;
    const solve = async () => {
      for (let index = 0; paper.current && index < set.questions; index += 1) {
        const next = await solvedAt({ set, work, subject }, index, client);
        setSolved((before) => [...before, next]);
      }
    };
    void solve();
    return () => {
      paper.current = null;
      client.dispose();
      render(null, sheet);
      sheet.remove();
    };
  }, [set, work, subject]);
  const isReady = solved.length === set.questions;
  const printAs = (hasAnswers: boolean) => {
    if (paper.current) render(<Paper {...{ ...questions, solved, hasAnswers }} />, paper.current);
    print();
  };
  return (
    <Sheet title={`Print: ${set.title}`} onClose={onClose}>
      <div class="grid loose">
        <p>Each question has its tensors, “?” for the value, and room for the sum. Print to PDF to keep a file.</p>
        {!isReady && <ProgressBar label="Preparing the questions" fraction={solved.length / set.questions} />}
        <RefusalNotice why={solved.includes(null) ? 'Not all questions could be prepared.' : null} />
        <p class="row">
          <Button kind="primary" disabled={!isReady} onClick={() => printAs(false)}>
            Print worksheet
          </Button>
          <Button disabled={!isReady} onClick={() => printAs(true)}>
            Print with solutions
          </Button>
        </p>
      </div>
    </Sheet>
  );
}

interface PaperProps extends Pick<Questions, 'set' | 'subject'> {
  readonly solved: readonly (Solved | null)[];
  readonly hasAnswers: boolean;
}

function Paper({ set, subject, solved, hasAnswers }: PaperProps) {
  const others = subject.questions.flatMap(({ cell }) => cell ?? []);
  return (
    <>
      <h1>{`${set.title}${hasAnswers ? ': solutions' : ''}`}</h1>
      {!hasAnswers && <p class="paper__name">Name:</p>}
      {solved.map((one, index) => {
        if (!one) return null;
        const { question, asked, right } = one;
        return (
          <section key={index} class="paper__question">
            <h2>{`${index + 1}. ${titleOf(one)}`}</h2>
            <Given {...one} hidden={hasAnswers ? [] : asked ? [asked, ...others] : others} />
            {question.kind === 'choice' && question.options.map((option) => <p key={option}>☐ {option}</p>)}
            <p class={hasAnswers ? '' : 'paper__room'}>
              Answer: {hasAnswers && <strong>{right}</strong>} {hasAnswers && wayOf(one)}
            </p>
          </section>
        );
      })}
    </>
  );
}

function titleOf({ question, layer }: Solved): string {
  if (!isValue(question)) return question.title;
  const name = question.kind === 'network' ? question.name : layer && cellName(layer.geometry, question.cell);
  return question.kind === 'cell' && question.sentence ? `${question.sentence} (${name})` : `What is ${name}?`;
}

/** How the answer is found: the last hint. */
const wayOf = ({ question }: Solved) =>
  question.kind === 'network' ? question.formula : question.kind === 'count' ? question.hints.at(-1) : '';

/** What the sum of a result reads. */
const READ: Readonly<Partial<Record<TensorName, readonly TensorName[]>>> = {
  ...{ y: ['x', 'w', 'b'], dx: ['dy', 'w'], dw: ['x', 'dy'], db: ['dy'] },
};
/** The gates and winners of a layer without weights follow from x. */
const READ_WITHOUT_WEIGHTS = { ...READ, dx: ['x', 'dy'] } as const;

interface Hidden {
  readonly hidden: readonly { readonly tensor: string; readonly index: number }[];
}

/** The layer in sentences, and its tensors. With a question about its sizes they would show the answer. */
function Given({ question, layer, asked, hidden }: Solved & Hidden) {
  const sentences = 'layer' in question ? question.layer : layer ? layerWords(layer.desc) : [];
  const read = layer?.tensors.w ? READ : READ_WITHOUT_WEIGHTS;
  const names = new Set(asked ? [...(read[asked.tensor] ?? TENSORS), asked.tensor] : TENSORS);
  const layers = 'problem' in question ? question.problem.layers.length : 1;
  return (
    <>
      <p>{sentences.join(' ')}</p>
      {layer && (question.kind !== 'count' || sentences.length === 0) && (
        <div class="paper__grids">
          {[...names].map((tensor) => (
            <Planes key={tensor} {...{ layer, tensor, layers, hidden }} />
          ))}
        </div>
      )}
    </>
  );
}

interface PlanesProps extends Hidden {
  readonly layer: LayerContent;
  readonly tensor: TensorName;
  /** The layers of the network. */
  readonly layers: number;
}

/** Larger tensors are not printed. */
const MOST_CELLS = 300;

/** A tensor as tables, one for each image, channel and filter. */
function Planes({ layer, tensor, layers, hidden }: PlanesProps) {
  const grid = gridOf(layer.geometry, tensor);
  const { size, cells } = grid;
  const values = layer.tensors[tensor]?.data;
  if (!values) return null;
  // In a network, the x of layer 2 is y1 and its dx is dy1.
  const name =
    layer.index > 0 && tensor.endsWith('x')
      ? `${tensor.replace('x', 'y')}${layer.index}`
      : `${tensor}${tensor.endsWith('x') ? '' : numberOf({ length: layers }, layer.index)}`;
  if (cells > MOST_CELLS) return <p>{`${name} has ${cells} cells. They are on the page.`}</p>;
  const textAt = (place: Position) => {
    const index = indexAt(grid, place);
    const isHidden = hidden.some((cell) => cell.tensor === tensor && cell.index === index);
    return isHidden ? '?' : formatCell(values[index] ?? 0, { digits: 3, chars: 6 });
  };
  const planes = upTo(size.slice).flatMap((slice) => upTo(size.channel).map((channel) => at(slice, 0, 0, channel)));
  return planes.map((plane) => {
    const label = withIndices(layer.geometry, tensor, (axis) => (/row|col/.test(axis) ? '*' : String(plane[axis])));
    return (
      <Table
        key={label}
        name="paper__grid"
        caption={label.replace('[*,*]', '').replace(tensor, name)}
        headings={['', ...upTo(size.col).map(String)]}
        rows={upTo(size.row).map((row) => [
          String(row),
          ...upTo(size.col).map((col) => textAt({ ...plane, row, col })),
        ])}
      />
    );
  });
}
