import { signal } from '@preact/signals';
import { cellName } from '../../web/src/geometry/labels';
import { linksOf } from '../../web/src/geometry/links';
import type { Highlights } from '../../web/src/look/look-store';
import type { ConvDesc, Geometry, Shape, Tensor, TensorName } from '../../web/src/protocol/problem';
import { Formula, Prose } from '../../web/src/ui/Formula';
import { ColorLegend } from '../../web/src/ui/grid/ColorLegend';
import { Maths } from '../../web/src/ui/Maths';
import { LoadingNotice } from '../../web/src/ui/notices';
import type { Answers } from '../../web/src/views/shared/answers';
import { Badge } from '../../web/src/views/shared/Badge';
import { DyMenu } from '../../web/src/views/shared/DyMenu';
import { sharedParts } from '../../web/src/views/shared/deferred';
import { GridPanel } from '../../web/src/views/shared/GridPanel';
import { MapNavigator } from '../../web/src/views/shared/MapNavigator';
import { PlaneChooser } from '../../web/src/views/shared/PlaneChooser';
import { layoutStage } from '../../web/src/views/shared/stage/layout';
import { ALL_TENSORS, ForwardSigns, TensorSlots } from '../../web/src/views/shared/TensorPanel';
import { type ViewModel, ViewModelProvider } from '../../web/src/views/shared/view-model';
import { Section, Specimen } from './specimen';
import '../../web/src/views/shared/verdict.css';
import '../../web/src/app/shell.css';

sharedParts.value = { PlaneChooser, DyMenu, ColorLegend, cellName, linksOf };

const DESC: ConvDesc = {
  ...{ layout: 'nhwc', padding_mode: 'same', n: 1, h: 4, w: 4, c: 3, k: 2, kh: 3, kw: 3, groups: 1 },
  ...{ stride_h: 1, stride_w: 1, dilation_h: 1, dilation_w: 1, padding: { top: 1, bottom: 1, left: 1, right: 1 } },
};
const GEOMETRY: Geometry = {
  ...{ ...DESC, oh: 4, ow: 4, group_c: 3, group_k: 2, dilated_kh: 3, dilated_kw: 3, remainder_h: 0, remainder_w: 0 },
};
const SHAPES: Readonly<Record<'x' | 'w' | 'b' | 'y', Shape>> = {
  ...{ x: [1, 4, 4, 3], w: [3, 3, 3, 2], b: [1, 1, 1, 2], y: [1, 4, 4, 2] },
};

function tensor(name: TensorName): Tensor {
  const shape = SHAPES[(name.length > 1 ? name.slice(1) : name) as keyof typeof SHAPES];
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => ((i * 5) % 9) - 4);
  return { shape, data, stats: { min: -4, max: 4, max_abs: 4, not_finite: 0 } };
}

const nothing = () => undefined;
const CELL = { tensor: 'y', index: 10 } as const;
const PINNED = signal<Highlights | null>({
  ...{ cell: CELL, pinned: true, term: [] },
  ...linksOf(GEOMETRY, CELL),
});

function modelOf(width: number): ViewModel {
  const layout = layoutStage(GEOMETRY, true, { width, height: 460 });
  return {
    content: signal({
      ...{ revision: 1, geometry: GEOMETRY, desc: DESC, fixed: {}, photo: false, loss: null, runs: {} },
      tensors: Object.fromEntries(ALL_TENSORS.map((name) => [name, tensor(name)])),
    } as unknown as ViewModel['content']['value']),
    differences: signal({}),
    focus: signal({ n: 0, c: 1, k: 0 }),
    transfer: signal('linear' as const),
    highlights: PINNED,
    userHighlights: PINNED,
    frameHighlights: signal(null),
    played: signal(false),
    onPlay: nothing,
    locked: signal([]),
    hiddenParts: signal([]),
    loss: signal({ kind: 'given', dy: { kind: 'ones' } } as const),
    exercise: signal(false),
    noHintYet: signal(false),
    layout: signal(layout),
    events: new Proxy({}, { get: () => nothing }) as ViewModel['events'],
  };
}

const WIDE = modelOf(664);
const COMPARED = {
  pass: 'forward',
  rows: [
    { algorithm: 'im2col', max_abs_difference: 3.6e-7, error: null },
    { algorithm: 'winograd', max_abs_difference: null, error: { message: 'needs stride 1' } },
  ],
};
const ANSWERS = { get: () => null, of: () => [{ answer: COMPARED }] } as unknown as Answers;
const FAILED = { what: 'The map', status: signal('failed' as const), retry: nothing };
const DAMAGED = { what: 'The map', status: signal('damaged' as const), retry: nothing };

const LONG = new Float32Array(96 * 12).map((_, i) => ((i * 7) % 11) - 5);
const LONG_DATA = {
  rows: 96,
  cols: 12,
  values: LONG,
  offset: 0,
  rowStep: 12,
  colStep: 1,
  ring: { top: 0, bottom: 0, left: 0, right: 0 },
};
const SIGNED = { maxAbs: 5, ramp: 'signed', transfer: 'linear' } as const;
const verdict = (kind: string, text: string) => <p class={`verdict verdict--${kind}`}>{text}</p>;

/** The components of views/shared, and the texts of ui. */
export function Kit() {
  return (
    <>
      <Section name="stage">
        <Specimen of="a pinned cell of y" wide>
          <ViewModelProvider value={WIDE}>
            <div class="canvas canvas--stage" style={{ height: '470px' }}>
              <TensorSlots names={ALL_TENSORS} />
              <ForwardSigns />
            </div>
          </ViewModelProvider>
        </Specimen>
      </Section>
      <Section name="panel">
        <Specimen of="a part, with its overview">
          <GridPanel
            tensor="x_col"
            title="x_col"
            subtitle="one window per row"
            label="x_col"
            data={LONG_DATA}
            fit={{ kind: 'map', width: 192, height: 176, least: 16 }}
            scale={SIGNED}
            overview={(view) => <MapNavigator {...view} />}
          />
        </Specimen>
        <Specimen of="a note, a marked value">
          <GridPanel
            tensor="y"
            title="y"
            subtitle="output"
            label="y"
            data={{ ...LONG_DATA, rows: 24 }}
            fit={8}
            scale={SIGNED}
            marker={signal(3)}
            note="Hatched: read by no window, and more text than fits here."
          />
        </Specimen>
        <Specimen of="positive values, a long title">
          <div style={{ width: '150px' }}>
            <GridPanel
              tensor="dw"
              title="dw"
              subtitle="errors, with more text than fits"
              label="dw"
              data={{ ...LONG_DATA, rows: 24 }}
              fit={8}
              scale={{ ...SIGNED, ramp: 'amount', maxAbs: 5e-7 }}
            />
          </div>
        </Specimen>
      </Section>
      <Section name="messages">
        <Specimen of="good" wide>
          {verdict('good', 'Confirmed. All 9 cells of dw agree with the finite difference.')}
        </Specimen>
        <Specimen of="wrong" wide>
          {verdict('poor', 'Wrong: dw[0,0] differs from the finite difference by more than rounding.')}
        </Specimen>
        <Specimen of="at this step" wide>
          {verdict('step', 'Not confirmed at this step.')}
        </Specimen>
        <Specimen of="below the player" wide>
          <div class="dock">{verdict('good', 'Confirmed. All 9 cells agree.')}</div>
        </Specimen>
        <Specimen of="failed" wide>
          <LoadingNotice of={FAILED} />
        </Specimen>
        <Specimen of="damaged" wide>
          <LoadingNotice of={DAMAGED} />
        </Specimen>
        <Specimen of="an algorithm">
          <Badge answers={ANSWERS} algorithm="im2col" />
        </Specimen>
        <Specimen of="an algorithm that did not run">
          <Badge answers={ANSWERS} algorithm="winograd" />
        </Specimen>
      </Section>
      <Section name="formulas">
        <Specimen of="formula" wide>
          <Formula text="y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q] = floor(3.5)" />
        </Specimen>
        <Specimen of="long">
          <div style={{ width: '180px' }}>
            <Formula text="y[1,2] = Σ{p,q} x[1+p,2+q] · w[p,q]" />
          </div>
        </Specimen>
        <Specimen of="text with a term and a formula">
          <p style={{ width: '280px' }}>
            <Prose text="The *gradient* of w is the sum `dw[p,q] = Σ{i,j} dy[i,j]` over all windows." />
          </p>
        </Specimen>
        <Specimen of="MathML" wide>
          <Maths text="dw[p,q] = Σ{i,j} {∂L}/{∂y[i,j]} · x[i+p,j+q] and Cᵀ" tensors={['dw', 'x']} />
        </Specimen>
      </Section>
    </>
  );
}
