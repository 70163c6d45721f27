import type { ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Focus, groupOfFilter } from '../../geometry/focus';
import { gridOf } from '../../geometry/grid';
import type { Geometry } from '../../protocol/problem';
import { Segmented } from '../../ui/controls/Choice';
import { framesIn, stageIn } from '../kit/answers';
import { Badge } from '../kit/Badge';
import { MatrixProduct, ProductWords } from '../kit/MatrixProduct';
import { isMatrixDrawable, tooLargeText } from '../kit/matrix-product';
import { StagePanel } from '../kit/StagePanel';
import { Sign } from '../kit/stage/LayoutBox';
import { type Box, region } from '../kit/stage/layout';
import { Slot } from '../kit/stage/Slot';
import type { View, ViewProps } from '../kit/view';
import { useGeometry, useViewModel } from '../kit/view-model';
import { stepsOf } from '../kit/walk/steps-of';
import { Walk, WalkPlayer } from '../kit/walk/Walk';
import { ALGORITHMS, algorithmOf, DW } from './algorithms';
import { croppedPositions, cropSentence, DilatedDy, DilatedDyPlayer, roleSwapSentence, UpsampledDy } from './DilatedDy';

interface Parts {
  readonly Component: ComponentType<ViewProps>;
  readonly Player: ComponentType<ViewProps>;
}

const PARTS: Readonly<Record<string, Parts>> = {
  im2col_gemm: { Component: Im2colProduct, Player: Im2colWords },
  dilated_dy: { Component: DilatedDy, Player: DilatedDyPlayer },
  grouped: { Component: Grouped, Player: GroupedWords },
  direct: { Component: SumWalk, Player: SumPlayer },
  sum: { Component: SumWalk, Player: SumPlayer },
};

/** dw_col = x_colᵀ · dy_col. */
function Im2colProduct({ answers }: ViewProps) {
  const g = useGeometry();
  if (!isMatrixDrawable(g)) return <p class="matrix-product__none">{tooLargeText(g)}</p>;
  return (
    <MatrixProduct product={DW} answers={answers}>
      <p>{ALGORITHMS[0]?.idea}</p>
    </MatrixProduct>
  );
}

function Im2colWords() {
  return isMatrixDrawable(useGeometry()) ? <ProductWords product={DW} /> : null;
}

function DwView(props: ViewProps) {
  const Picture = PARTS[algorithmOf(props.state)?.id ?? '']?.Component;
  return Picture ? <Picture {...props} /> : null;
}

function DwSettings({ wanted, onState }: ViewProps) {
  return (
    <Segmented
      label="algorithm"
      quiet
      options={ALGORITHMS.map(({ id, label, idea }) => ({ value: id, label, hint: idea }))}
      value={algorithmOf(wanted)?.id ?? ''}
      onChange={(id) => onState({ way: id })}
    />
  );
}

function DwPlayer(props: ViewProps) {
  const id = algorithmOf(props.state)?.id ?? '';
  const Player = PARTS[id]?.Player;
  return (
    <>
      {Player && <Player {...props} />}
      <Badge comparison={props.answers.of('compare')[0]?.answer} algorithm={id} />
    </>
  );
}

/** dw or db after some of the positions of dy are added: all images, for each filter. */
function SumWalk({ answers, state }: ViewProps) {
  const sum = algorithmOf(state)?.sum;
  const partial = framesIn(answers)[0];
  return sum && partial ? (
    <Walk process={sum.process} partial={partial} chosen={typeof state[sum.setting] === 'number'} />
  ) : null;
}

function SumPlayer({ answers, state, wanted, onState }: ViewProps) {
  const g = useGeometry();
  const sum = algorithmOf(state)?.sum;
  const partial = framesIn(answers)[0];
  if (!sum || !partial) return null;
  const { process, setting } = sum;
  const steps = stepsOf(g, process, wanted[setting]);
  return <WalkPlayer process={process} partial={partial} wanted={steps} onSteps={(t) => onState({ [setting]: t })} />;
}

function GroupedWords() {
  return <p class="player-words">{groupedSentence(useGeometry())}</p>;
}

function AboutDw({ state }: ViewProps) {
  const g = useGeometry();
  const { focus } = useViewModel();
  const algorithm = algorithmOf(state);
  return (
    <>
      <p>{algorithm?.idea}</p>
      {algorithm?.id === 'dilated_dy' && <p>{roleSwapSentence(g)}</p>}
      {algorithm?.id === 'grouped' && <p>{groupSentence(g, focus.value)}</p>}
      {(algorithm?.id === 'dilated_dy' || algorithm?.id === 'grouped') && <p>{cropSentence(g)}</p>}
      {algorithm?.id === 'sum' && (
        <p>
          {g.n} × {g.oh} × {g.ow} cells of dy are added to {g.k === 1 ? 'one value' : `${g.k} values, one per filter`}.
          The outlined cells are added already.
        </p>
      )}
    </>
  );
}

export const dwView: View = {
  question: 'How does the loss change with each weight, and with the bias?',
  sentence: 'Four ways to compute dw, plus db. Each result is compared with the reference.',
  needs(g, state) {
    const algorithm = algorithmOf(state);
    if (!algorithm) return [];
    const algorithms = ALGORITHMS.filter(({ pass }) => pass === algorithm.pass).map(({ id }) => id);
    return [...algorithm.needs(g, state), { kind: 'compare', pass: algorithm.pass, algorithms }];
  },
  sums: ['dw', 'db'],
  pass: 'backward_weights',
  Component: DwView,
  Settings: DwSettings,
  Player: DwPlayer,
  About: AboutDw,
};

/** Maximum number of images drawn; of a larger batch, those around the selected one. */
const MOST_IMAGES = 4;
const GAP = 10;

/** One group (one channel of one image), then the sum over the images. */
function Grouped({ answers }: ViewProps) {
  const g = useGeometry();
  const { focus: focusSignal, layout: stageLayout } = useViewModel();
  const stage = (name: string) => stageIn(answers, name);
  const [dy, perImage] = [stage('dy_upsampled'), stage('dw_per_image')];
  const hatched = useMemo(() => croppedPositions(g), [g]);
  if (!dy || !perImage) return null;

  const layout = stageLayout.value;
  const focus = focusSignal.value;
  const images = shownImages(g, focus.n);
  const boxes = tiles(region(layout, 'x', 'x', 'backward'), images.length);
  return (
    <>
      <Slot tensor="x" />
      <Sign after="x" row="forward">
        ∗
      </Sign>
      <UpsampledDy tensor={dy} />
      {images.map((n, i) => (
        <StagePanel
          key={n}
          name="dw_per_image"
          tensor={perImage}
          slice={n * g.k + focus.k}
          channel={focus.c - groupOfFilter(g, focus.k) * g.group_c}
          title="dw"
          subtitle={`of image ${n}`}
          label={`dw of image ${n}`}
          accent="var(--id-w)"
          box={boxes[i] ?? layout.slots.dx}
          limits={{ most: layout.cell.w }}
          under={hatched}
        />
      ))}
      <Sign after="x" row="backward">
        {g.n > 1 ? 'Σ' : '→'}
      </Sign>
      <Slot tensor="dw" subtitle={g.n > 1 ? 'sum' : 'sliced'} />
      <Slot tensor="dy" />
    </>
  );
}

/** Divides a box into up to four, two per row. */
function tiles({ left, top, width, height }: Box, count: number): readonly Box[] {
  const cols = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / cols);
  const [wide, tall] = [(width - (cols - 1) * GAP) / cols, (height - (rows - 1) * GAP) / rows];
  return Array.from({ length: count }, (_, i) => ({
    left: left + (i % cols) * (wide + GAP),
    top: top + Math.floor(i / cols) * (tall + GAP),
    width: wide,
    height: tall,
  }));
}

function shownImages(g: Geometry, n: number): readonly number[] {
  const first = Math.max(0, Math.min(n, g.n - MOST_IMAGES));
  return Array.from({ length: Math.min(g.n, MOST_IMAGES) }, (_, i) => first + i);
}

function groupSentence(g: Geometry, { n, c, k }: Focus): string {
  const count = g.n * g.c;
  const all = `${g.n} ${g.n === 1 ? 'image' : 'images'} × ${g.c} ${g.c === 1 ? 'channel' : 'channels'} = ${count} ${count === 1 ? 'group' : 'groups'}`;
  const which = count > 1 ? ` Here: image ${n}, channel ${c}, with the dy of filter ${k}.` : '';
  return `${all}. Each convolves one channel of one image with the dy of that image, once per filter.${which}`;
}

function groupedSentence(g: Geometry): string {
  const { row, col } = gridOf(g, 'dw_uncropped').size;
  const slice = row > g.kh || col > g.kw ? `Slice to ${g.kh} × ${g.kw}` : 'Nothing to slice off';
  if (g.n === 1) return `${slice}. With one image there is nothing to add: this is dw.`;
  const shown = Math.min(g.n, MOST_IMAGES);
  return `${slice}, then add over the batch${shown < g.n ? ` of ${g.n} images (${shown} are drawn)` : ''}.`;
}
