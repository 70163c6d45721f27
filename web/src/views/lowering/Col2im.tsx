import { useEffect, useMemo } from 'preact/hooks';
import { groupOfChannel } from '../../geometry/focus';
import { outputPositions, windowCells } from '../../geometry/grid';
import { outputOfRow } from '../../geometry/matrix';
import { Segmented } from '../../ui/controls/Choice';
import type { Mark } from '../../ui/grid/marks';
import { Scrubber } from '../../ui/scrubber/Scrubber';
import { stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { differingCells } from '../kit/differing';
import { fitGrid } from '../kit/fit-grid';
import { LayoutBox } from '../kit/stage/LayoutBox';
import { region } from '../kit/stage/layout';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { useDerived, useFrameOverlay, useGeometry, useViewModel, ViewModelProvider } from '../kit/view-model';
import { CopyAnimation } from './CopyAnimation';
import { choiceOf, MODES } from './choice';
import { frameOf, inColorsOf, sentenceOf, subtitleOf, wrongText } from './col2im-frame';
import { foldOf, perturbedCell, positionsOf } from './col2im-needs';
import { Evidence } from './Evidence';
import { MATRIX_LIMITS, MatrixPanel } from './MatrixPanel';
import { movingCopiesOf } from './moving-copies';
import { useCopyAnimation } from './use-copy-animation';

const PLAIN = { order: 'kh_kw_c', transposed: false } as const;

/** col2im, row by row: adds dx_col into dx; or averages or overwrites, which is wrong. */
export function Col2im({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const model = useViewModel();
  const { mode, folded } = choiceOf(g, state);
  usePinned(onState);

  const dx_col = stageIn(answers, 'dx_col');
  const folds = answers.of('fold');
  const total = outputPositions(g);
  const taps = windowCells(g);
  const layout = model.layout.value;
  const box = region(layout, 'w', 'y', 'both');
  const canAnimate = fitGrid(box, total, taps, MATRIX_LIMITS).kind === 'numbers';
  const { duration, onDone } = useCopyAnimation(folded, canAnimate);
  const done = duration === null ? folded : folded - 1;
  const result = foldOf(folds, mode, positionsOf(g, done)) ?? foldOf(folds, mode, positionsOf(g, folded));
  const right = foldOf(folds, 'sum', positionsOf(g, folded));
  const whole = foldOf(folds, 'sum', 'all');
  const focus = model.focus.value;
  const { c } = focus;
  const copies = useMemo(
    () => (dx_col && folded > 0 ? movingCopiesOf(g, dx_col, folded - 1, c) : []),
    [g, dx_col, folded, c],
  );
  const group = groupOfChannel(g, c);
  const { n } = folded > 0 ? outputOfRow(g, folded - 1) : focus;
  const wrong = useMemo(
    () => (result && mode !== 'sum' && duration === null ? differingCells(g, result, right ?? null, n, c) : null),
    [g, result, right, mode, duration, n, c],
  );
  const under = useMemo(() => wrong?.areas.map((area): Mark => ({ tone: 'wrong', area })), [wrong]);
  const frameModel = useFrameOverlay({
    tensors: useMemo(() => (result && whole ? { dx: inColorsOf(result, whole) } : {}), [result, whole]),
    focus: useMemo(() => ({ ...focus, n }), [focus, n]),
    highlights: useMemo(() => (folded > 0 ? frameOf(g, folded - 1, group) : null), [g, folded, group]),
  });
  if (!dx_col || !result || !whole) return null;
  return (
    <ViewModelProvider value={frameModel}>
      <LayoutBox box={region(layout, 'x', 'x', 'forward')} scrolls>
        <div class="lowering__choices">
          <Segmented
            label="Copies of the same pixel"
            options={MODES}
            value={choiceOf(g, wanted).mode}
            onChange={(value) => onState({ mode: value })}
          />
          {wrong && <p class="lowering__note">{wrongText(mode, wrong.count, wrong.of)}</p>}
          <Evidence
            geometry={g}
            index={perturbedCell(g, state)}
            folds={folds}
            check={answers.of('gradient_check')[0]?.answer}
          />
        </div>
      </LayoutBox>
      <div class={mode === 'sum' ? 'lowering__result' : 'lowering__result lowering__result--wrong'}>
        <Slot tensor="dx" subtitle={subtitleOf(mode, done, total)} under={under} />
      </div>
      <MatrixPanel
        name="dx_col"
        form={PLAIN}
        tensor={dx_col}
        group={group}
        title="dx_col"
        subtitle={`one gradient per copy${g.groups > 1 ? `, group ${group}` : ''}`}
        lit={frameModel.highlights}
        box={box}
      />
      {duration !== null && (
        <CopyAnimation copies={copies} fromCols={taps} toCols={g.w} milliseconds={duration} onDone={onDone} />
      )}
    </ViewModelProvider>
  );
}

/** The slope is measured at the pinned cell of x or dx. */
function usePinned(onState: ViewProps['onState']): void {
  const { highlights } = useViewModel();
  const pinned = useDerived(() => {
    const now = highlights.value;
    return now?.pinned && (now.cell.tensor === 'x' || now.cell.tensor === 'dx') ? now.cell.index : null;
  }, [highlights]).value;
  useEffect(() => {
    if (pinned !== null) onState({ cell: pinned });
  }, [pinned, onState]);
}

export function Col2imPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { onPlay } = useViewModel();
  const { mode, folded } = choiceOf(g, state);
  return (
    <>
      <Scrubber
        label="rows of dx_col added to dx"
        value={choiceOf(g, wanted).folded}
        total={outputPositions(g)}
        row={g.ow}
        sentence={folded > 0 ? sentenceOf(g, folded - 1, mode) : 'No row is added yet. Press Play or step forward.'}
        onChange={(value) => {
          onPlay();
          onState({ folded: value });
        }}
      />
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm="col2im" />
    </>
  );
}
