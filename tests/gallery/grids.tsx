import { signal } from '@preact/signals';
import type { ColorScale } from '../../web/src/ui/color-scale';
import { ColorLegend } from '../../web/src/ui/grid/ColorLegend';
import { type GridData, NO_RING } from '../../web/src/ui/grid/grid-data';
import { HeatGrid } from '../../web/src/ui/grid/HeatGrid';
import { MiniMap } from '../../web/src/ui/grid/MiniMap';
import { type Mark, type MarkTone, oneCell } from '../../web/src/ui/grid/marks';
import { NumberGrid } from '../../web/src/ui/grid/NumberGrid';
import { SliceChooser } from '../../web/src/ui/grid/SliceChooser';
import { Chart } from '../../web/src/ui/plot/Chart';
import { Section, Specimen } from './specimen';

const nothing = () => undefined;
const EVENTS = { onHover: nothing, onMove: nothing, onPick: nothing };
const NONE = signal<readonly Mark[]>([]);

function grid(rows: number, cols: number, more: Partial<GridData> = {}): GridData {
  const values = Float32Array.from({ length: rows * cols }, (_, i) => ((i * 7) % 11) - 5);
  return { rows, cols, values, offset: 0, rowStep: cols, colStep: 1, ring: NO_RING, ...more };
}

const SCALE: ColorScale = { maxAbs: 5, ramp: 'signed', transfer: 'linear' };
const PADDED = grid(3, 3, { ring: { top: 1, bottom: 1, left: 1, right: 1 } });
const UPSAMPLED = grid(3, 3, { inserted: ({ row, col }) => row % 2 === 1 || col % 2 === 1 });
const LARGE = grid(64, 48);

const TONES: readonly MarkTone[] = ['focus', 'source', 'target', 'term', 'unread', 'pending', 'wrong'];
const markOf = (tone: MarkTone): Mark => ({
  tone,
  area: { ...oneCell(0, 0), rows: tone === 'focus' ? 1 : 2, cols: 2 },
});

const POINTS = Array.from({ length: 9 }, (_, i) => ({ x: 10 ** -i, y: i === 0 ? 0 : 10 ** (-2 * Math.abs(i - 4)) }));
const CURVE = Array.from({ length: 21 }, (_, x) => ({ x, y: 4 * 0.8 ** x }));

const thumbnail = (index: number) => ({ index, data: grid(4 + (index % 3), 5), involved: index % 4 !== 3 });
const slices = (count: number, most: number) => (
  <SliceChooser
    label={`channel of x, ${count}`}
    axis="c"
    first={0}
    count={count}
    sliceAt={thumbnail}
    scale={SCALE}
    selected={1}
    most={most}
    onSelect={nothing}
  />
);

const numbers = (label: string, data: GridData, marks = NONE, size = 34) => (
  <NumberGrid label={label} data={data} scale={SCALE} size={size} marks={marks} {...EVENTS} />
);
const editable = (label: string) => (
  <NumberGrid label={label} data={grid(2, 6)} scale={SCALE} size={34} marks={NONE} {...EVENTS} onEdit={nothing} />
);
const map = (label: string, data: GridData, least = 0, marks = NONE) => (
  <div style={{ paddingBottom: '44px' }}>
    <HeatGrid
      label={label}
      data={data}
      scale={SCALE}
      room={{ width: 200, height: 160, least }}
      marks={marks}
      {...EVENTS}
    />
  </div>
);

/** The components of ui/grid and ui/plot. */
export function Grids() {
  return (
    <>
      <Section name="number-grid">
        <Specimen of="padding">{numbers('padding', PADDED)}</Specimen>
        <Specimen of="inserted zeros">{numbers('inserted zeros', UPSAMPLED)}</Specimen>
        <Specimen of="focus" force="focus-visible" on="[role=gridcell][tabindex='0']">
          {numbers('focus', grid(3, 3))}
        </Specimen>
        <Specimen of="empty">{numbers('empty', grid(0, 0))}</Specimen>
      </Section>
      <Section name="marks">
        {TONES.map((tone) => (
          <Specimen key={tone} of={tone}>
            <div style={{ '--accent': 'var(--id-x)', padding: '4px' }}>
              {numbers(tone, grid(2, 2), signal([markOf(tone)]))}
            </div>
          </Specimen>
        ))}
      </Section>
      <Section name="edit-box" clicks="[role=gridcell]" keys="Enter">
        <Specimen of="editing" wide>
          <div style={{ paddingBottom: '32px' }}>{editable('editing')}</div>
        </Specimen>
      </Section>
      <Section name="refused-edit" clicks="[role=gridcell]" keys="Enter o n e Enter">
        <Specimen of="refused" wide>
          <div style={{ paddingBottom: '48px' }}>{editable('refused')}</div>
        </Specimen>
      </Section>
      <Section name="heat-grid" hovers="[data-lens] canvas">
        <Specimen of="whole, with a lens" wide>
          <div data-lens style={{ padding: '150px 0 0 120px' }}>
            {map('whole', LARGE)}
          </div>
        </Specimen>
        <Specimen of="a part">{map('a part', LARGE, 8, signal([markOf('source')]))}</Specimen>
        <Specimen of="focus" force="focus-visible" on=".heat__cursor">
          {map('focus', LARGE, 12)}
        </Specimen>
        <Specimen of="small map">
          <MiniMap data={PADDED} scale={SCALE} cell={12} marks={NONE} />
        </Specimen>
      </Section>
      <Section name="legend">
        <Specimen of="both signs">
          <div style={{ width: '190px' }}>
            <ColorLegend scale={SCALE} />
          </div>
        </Specimen>
        <Specimen of="a value under the pointer">
          <div style={{ width: '190px' }}>
            <ColorLegend scale={SCALE} marker={signal(2)} />
          </div>
        </Specimen>
        <Specimen of="positive">
          <div style={{ width: '190px' }}>
            <ColorLegend scale={{ ...SCALE, ramp: 'amount', maxAbs: 123456 }} />
          </div>
        </Specimen>
        <Specimen of="zeros">
          <div style={{ width: '98px' }}>
            <ColorLegend scale={{ ...SCALE, maxAbs: 0 }} />
          </div>
        </Specimen>
        <Specimen of="photo">
          <div style={{ width: '190px' }}>
            <ColorLegend scale={{ ...SCALE, ramp: 'gray' }} />
          </div>
        </Specimen>
      </Section>
      <Section name="slices">
        <Specimen of="all">{slices(4, 8)}</Specimen>
        <Specimen of="hover" force="hover" on=".slices__item:has(:not(:checked))">
          {slices(4, 8)}
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="input:checked">
          {slices(4, 8)}
        </Specimen>
        <Specimen of="more than fit">{slices(40, 7)}</Specimen>
      </Section>
      <Section name="all-slices" clicks=".slices__more" shows=".slices__sheet-of-all:popover-open">
        <Specimen of="opened">{slices(40, 8)}</Specimen>
      </Section>
      <Section name="plot">
        <Specimen of="two series" wide>
          <Chart
            label="relative error"
            xLabel="step ε"
            yLabel="relative error"
            series={[
              { name: 'float32', points: POINTS },
              { name: 'float64', points: POINTS.map(({ x, y }) => ({ x, y: y / 1000 })) },
            ]}
            chosen={0.01}
            onChoose={nothing}
          />
        </Specimen>
        <Specimen of="a curve with a goal" wide>
          <Chart
            label="loss"
            xLabel="steps"
            yLabel="loss L"
            series={[{ name: 'loss', points: CURVE }]}
            until={20}
            height={160}
            logarithmic={false}
            goals={[1]}
            onChoose={nothing}
          />
        </Specimen>
        <Specimen of="empty" wide>
          <Chart
            label="empty"
            xLabel="steps"
            yLabel="loss L"
            series={[{ name: 'loss', points: [] }]}
            until={100}
            height={120}
            logarithmic
            onChoose={nothing}
          />
        </Specimen>
      </Section>
      <Section name="plot-table" clicks=".plot__table summary">
        <Specimen of="as a table">
          <Chart
            label="one series"
            xLabel="step ε"
            yLabel="error"
            series={[{ name: 'float32', points: POINTS.slice(0, 4) }]}
            chosen={0.1}
            onChoose={nothing}
          />
        </Specimen>
      </Section>
    </>
  );
}
