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
import { AROUND } from '../kit/fit';
import { PictureProvider, useDerived, useFramed, useGeometry, usePicture } from '../kit/picture';
import { region } from '../kit/stage/layout';
import { Place } from '../kit/stage/Place';
import { Slot } from '../kit/stage/Slot';
import type { ViewProps } from '../kit/view';
import { choiceOf, MODES } from './choice';
import { Evidence } from './Evidence';
import { Flight } from './Flight';
import { flyersOf } from './flight';
import { frameOf, inColoursOf, sentenceOf, subtitleOf, wrongText } from './fold-frame';
import { foldOf, nudgedCell, positionsOf } from './fold-needs';
import { MatrixPanel } from './MatrixPanel';
import { sizingOf } from './sizing';
import { useLanding } from './use-landing';

const PLAIN = { order: 'kh_kw_c', transposed: false } as const;

/** dx_col carried back into dx, row by row, and what becomes of it when the copies are not added. */
export function Fold({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const picture = usePicture();
  const { mode, folded } = choiceOf(g, state);
  usePinned(onState);

  const dx_col = stageIn(answers, 'dx_col');
  const folds = answers.of('fold');
  const total = outputPositions(g);
  const taps = windowCells(g);
  const layout = picture.layout.value;
  const box = region(layout, 'w', 'y', 'both');
  const height = box.height - AROUND.head - AROUND.frame - AROUND.legend;
  const canFly = sizingOf(total, taps, box.width, height).kind === 'numbers';
  const { flying, onLanded } = useLanding(folded, canFly);
  const done = flying === null ? folded : folded - 1;
  const result = foldOf(folds, mode, positionsOf(g, done)) ?? foldOf(folds, mode, positionsOf(g, folded));
  const right = foldOf(folds, 'sum', positionsOf(g, folded));
  const whole = foldOf(folds, 'sum', 'all');
  const looked = picture.focus.value;
  const { c } = looked;
  const flyers = useMemo(
    () => (dx_col && folded > 0 ? flyersOf(g, dx_col, folded - 1, c) : []),
    [g, dx_col, folded, c],
  );
  const group = groupOfChannel(g, c);
  const { n } = folded > 0 ? outputOfRow(g, folded - 1) : looked;
  const wrong = useMemo(
    () => (result && mode !== 'sum' && flying === null ? differingCells(g, result, right ?? null, n, c) : null),
    [g, result, right, mode, flying, n, c],
  );
  const under = useMemo(() => wrong?.areas.map((area): Mark => ({ tone: 'wrong', area })), [wrong]);
  const framed = useFramed({
    tensors: useMemo(() => (result && whole ? { dx: inColoursOf(result, whole) } : {}), [result, whole]),
    focus: useMemo(() => ({ ...looked, n }), [looked, n]),
    highlights: useMemo(() => (folded > 0 ? frameOf(g, folded - 1, group) : null), [g, folded, group]),
  });
  if (!dx_col || !result || !whole) return null;
  return (
    <PictureProvider value={framed}>
      <Place box={region(layout, 'x', 'x', 'forward')} scrolls>
        <div class="lowering__choices">
          <Segmented
            label="Copies that meet in a cell"
            options={MODES}
            value={choiceOf(g, wanted).mode}
            onChange={(value) => onState({ mode: value })}
          />
          {wrong && <p class="lowering__note">{wrongText(mode, wrong.count, wrong.of)}</p>}
          <Evidence
            geometry={g}
            index={nudgedCell(g, state)}
            folds={folds}
            check={answers.of('gradient_check')[0]?.answer}
          />
        </div>
      </Place>
      <div class={mode === 'sum' ? 'lowering__result' : 'lowering__result lowering__result--wrong'}>
        <Slot tensor="dx" subtitle={subtitleOf(mode, done, total)} under={under} />
      </div>
      <MatrixPanel
        name="dx_col"
        form={PLAIN}
        tensor={dx_col}
        group={group}
        title="dx_col"
        subtitle={`a gradient per copy${g.groups > 1 ? `, group ${group}` : ''}`}
        lit={framed.highlights}
        box={box}
      />
      {flying !== null && (
        <Flight flyers={flyers} fromCols={taps} toCols={g.w} milliseconds={flying} onLanded={onLanded} />
      )}
    </PictureProvider>
  );
}

/** The cell of x or dx that a person pins is the one that is nudged. */
function usePinned(onState: ViewProps['onState']): void {
  const { highlights } = usePicture();
  const pinned = useDerived(() => {
    const now = highlights.value;
    return now?.pinned && (now.cell.tensor === 'x' || now.cell.tensor === 'dx') ? now.cell.index : null;
  }, [highlights]).value;
  useEffect(() => {
    if (pinned !== null) onState({ cell: pinned });
  }, [pinned, onState]);
}

export function FoldPlayer({ state, wanted, answers, onState }: ViewProps) {
  const g = useGeometry();
  const { onPlay } = usePicture();
  const { mode, folded } = choiceOf(g, state);
  return (
    <>
      <Scrubber
        label="rows folded back"
        value={choiceOf(g, wanted).folded}
        total={outputPositions(g)}
        row={g.ow}
        sentence={
          folded > 0 ? sentenceOf(g, folded - 1, mode) : 'Nothing is folded back yet. Press play, or step forward.'
        }
        onChange={(value) => {
          onPlay();
          onState({ folded: value });
        }}
      />
      <Badge comparison={answers.of('compare')[0]?.answer} algorithm="col2im" />
    </>
  );
}
