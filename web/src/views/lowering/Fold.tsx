import { useEffect, useMemo, useRef } from 'preact/hooks';
import { groupOfChannel } from '../../geometry/focus';
import { outputPositions, windowCells } from '../../geometry/grid';
import { outputOfRow } from '../../geometry/matrix';
import { Segmented } from '../../ui/controls/Choice';
import type { Mark } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { Badge } from '../kit/Badge';
import type { BoardLayout } from '../kit/board-layout';
import { differingCells } from '../kit/differing';
import type { Scene } from '../kit/scene';
import { useSpeaker } from '../kit/speaker';
import { TensorPanel } from '../kit/TensorPanel';
import type { ViewProps } from '../kit/view';
import { choiceOf, MODES } from './choice';
import { Evidence } from './Evidence';
import { Flight } from './Flight';
import { flyersOf } from './flight';
import { frameOf, inColoursOf, sentenceOf, subtitleOf, wrongText } from './fold-frame';
import { foldOf, nudgedCell, positionsOf } from './fold-needs';
import { MatrixPanel } from './MatrixPanel';
import { firstMarked, marksOnMatrix } from './matrix-marks';
import { sizingOf } from './sizing';
import { useLanding } from './use-landing';

const PLAIN = { order: 'kh_kw_c', transposed: false } as const;
const LARGEST = 34;
const TALL = 330;
const TALLEST = 460;
const NARROW = 620;
const FRAME = 8;

/** dx_col carried back into dx, row by row, and what becomes of it when the copies are not added. */
export function Fold({ scene, state, wanted, answers, events, onState, width }: ViewProps) {
  const g = scene.geometry;
  const { mode, folded } = choiceOf(g, state);
  const hand = choiceOf(g, wanted);
  const stage = useRef<HTMLDivElement>(null);
  const speaker = useSpeaker(scene.highlights);
  const pinned = scene.highlights?.pinned ? scene.highlights.cell : null;
  useEffect(() => {
    if (pinned && (pinned.tensor === 'x' || pinned.tensor === 'dx')) onState({ cell: pinned.index });
  }, [pinned?.tensor, pinned?.index]);

  const dx_col = answers.details?.stages.find((entry) => entry.stage === 'dx_col')?.tensor;
  const folds = answers.details?.folds ?? [];
  const total = outputPositions(g);
  const taps = windowCells(g);
  const beside = width >= NARROW && taps * 13 < width / 2;
  const matrixWidth = beside ? width * 0.5 : width;
  const height = width >= NARROW ? TALLEST : TALL;
  const canFly = sizingOf(total, taps, matrixWidth, height).kind === 'numbers';
  const { flying, onLanded } = useLanding(folded, canFly);
  const done = flying === null ? folded : folded - 1;
  const result = foldOf(folds, mode, positionsOf(g, done)) ?? foldOf(folds, mode, positionsOf(g, folded));
  const right = foldOf(folds, 'sum', positionsOf(g, folded));
  const whole = foldOf(folds, 'sum', 'all');
  const c = scene.focus.c;
  const flyers = useMemo(
    () => (dx_col && folded > 0 ? flyersOf(g, dx_col, folded - 1, c) : []),
    [g, dx_col, folded, c],
  );
  if (!dx_col || !result || !whole) return null;

  const step = folded > 0 ? outputOfRow(g, folded - 1) : null;
  const focus = { ...scene.focus, n: step?.n ?? scene.focus.n };
  const group = groupOfChannel(g, c);
  const frame = step && frameOf(g, folded - 1, group);
  const highlights = speaker.highlights ?? frame;
  const marks = highlights ? marksOnMatrix(g, 'dx_col', group, PLAIN, highlights) : [];
  const fitting = Math.min(LARGEST, ((beside ? width - matrixWidth - 24 : width) - FRAME) / g.w, TALL / g.h);
  const cell = fitting >= 14 ? Math.floor(fitting) : fitting;
  const layout: BoardLayout = {
    arrangement: 'stack',
    cell: { x: cell, w: cell, y: cell, b: cell },
    columns: [0, 0, 0],
  };
  const wrong = mode === 'sum' || flying !== null ? null : differingCells(g, result, right ?? null, focus.n, c);
  const picture: Scene = {
    ...scene,
    tensors: { ...scene.tensors, dx: inColoursOf(result, whole) },
    focus,
    highlights,
    layout,
  };
  return (
    <>
      <div class="lowering__controls">
        <Segmented
          label="Copies that meet in a cell"
          options={MODES}
          value={hand.mode}
          onChange={(value) => onState({ mode: value })}
        />
        <Badge comparison={answers.compare} algorithm="col2im" />
      </div>
      <Scrubber
        label="rows folded back"
        value={hand.folded}
        total={total}
        row={g.ow}
        sentence={step ? sentenceOf(g, folded - 1, mode) : 'Nothing is folded back yet. Press play, or step forward.'}
        onChange={(value) => {
          speaker.onScrub();
          onState({ folded: value });
        }}
      />
      <div ref={stage} class="lowering__row lowering__stage">
        <MatrixPanel
          geometry={g}
          name="dx_col"
          form={PLAIN}
          tensor={dx_col}
          group={group}
          title="dx_col"
          subtitle={`a gradient per copy${g.groups > 1 ? `, group ${group}` : ''}`}
          transfer={scene.transfer}
          marks={marks}
          look={firstMarked(marks, 'dx_col', scene.highlights)}
          events={events}
          width={matrixWidth}
          height={height}
        />
        <div class={mode === 'sum' ? 'lowering__result' : 'lowering__result lowering__result--wrong'}>
          <TensorPanel
            tensor="dx"
            scene={picture}
            events={events}
            place="lowering"
            subtitle={subtitleOf(mode, done, total)}
            under={wrong?.areas.map((area): Mark => ({ tone: 'wrong', area })) ?? []}
          />
          {wrong && <p class="lowering__note">{wrongText(mode, wrong.count, wrong.of)}</p>}
          <Evidence geometry={g} index={nudgedCell(g, state)} folds={folds} check={answers.gradientChecks[0]} />
        </div>
        {flying !== null && (
          <Flight
            flyers={flyers}
            stage={stage}
            fromCols={taps}
            toCols={g.w}
            milliseconds={flying}
            onLanded={onLanded}
          />
        )}
      </div>
    </>
  );
}
