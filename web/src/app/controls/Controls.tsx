import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { BoundedField } from '../../geometry/bounds';
import type { ConvDesc } from '../../protocol/problem';
import { resolvePadding } from '../../protocol/shapes';
import type { Store } from '../../state/store-types';
import { Checkbox } from '../../ui/controls/Choice';
import type { Page } from '../page';
import { picturesOf } from '../pictures';
import { AxisFields } from './AxisFields';
import { DescField } from './DescField';
import { DySourceField } from './DySourceField';
import { NumberFields } from './NumberFields';
import { PaddingFields } from './PaddingFields';
import { PictureFields } from './PictureFields';
import { SECTIONS } from './sections';
import { ValueSource } from './ValueSource';
import './controls.css';

/** Everything that the problem can be made of. */
export function Controls({ page }: { readonly page: Page }) {
  const { store } = page;
  const { channels, refusal } = page.pictures;
  const pictures = useMemo(() => picturesOf(page), [page]);
  const problem = store.problem.value;
  const draft = store.draft.value;
  const { desc } = problem;
  const error = draft && { ...draft.error, field: draft.error.field || draft.field };
  const onChange = (patch: Partial<ConvDesc>, field: BoundedField | 'padding_mode') =>
    store.setDesc(patch, { gesture: field, field });
  const common = { desc, error, onChange };
  const wrong = (...tensors: string[]) =>
    error && tensors.includes(error.field) ? (
      <p class="field-message" role="alert">
        {error.message}
      </p>
    ) : null;
  return (
    <>
      <Section id="moves">
        <PaddingFields {...common} resolved={resolvePadding(desc)} />
        {wrong('padding_mode')}
        <AxisFields {...common} label="stride" rows="stride_h" cols="stride_w" />
        <AxisFields {...common} label="dilation" rows="dilation_h" cols="dilation_w" />
      </Section>
      <Section id="x">
        <DescField {...common} field="h" />
        <DescField {...common} field="w" />
        <DescField {...common} field="c" />
        <DescField {...common} field="n" />
        <ValueSource tensor="x" input={problem.x} onChange={(source) => store.setSource('x', source)} />
        <PictureFields
          problem={problem}
          pictures={pictures}
          onGroups={(groups) => store.setDesc({ groups }, { field: 'groups' })}
          channels={channels.value}
          error={refusal.value?.beside === problem ? refusal.value.error : null}
          onChannels={(value) => {
            channels.value = value;
          }}
        />
        <NumberFields page={page} />
        {wrong('x', 'image')}
      </Section>
      <Section id="w">
        <AxisFields {...common} label="kernel" rows="kh" cols="kw" />
        <DescField {...common} field="k" />
        <DescField {...common} field="groups" />
        <ValueSource tensor="w" input={problem.w} onChange={(source) => setWeights(store, source)} />
        <Checkbox
          label="bias b"
          checked={problem.b !== null}
          onChange={(on) => (on ? store.setSource('b', { kind: 'constant', value: 1 }) : store.removeBias())}
        />
        {wrong('w', 'b')}
      </Section>
      <Section id="dy">
        <DySourceField problem={problem} dy={dyShown(store)} onChange={(source) => store.setDySource(source)} />
        {wrong('dy')}
      </Section>
    </>
  );
}

/** dy as the library made it of the source that is in force. */
function dyShown({ problem, shown }: Store): Float32Array | null {
  const picture = shown.value;
  return picture?.problem === problem.value ? (picture.result.tensors.dy?.data ?? null) : null;
}

/** An image kernel brings its own size; other numbers take the size that is there. */
function setWeights(store: Store, source: Parameters<Store['setSource']>[1]): void {
  if (source.kind === 'filter') store.setFilter(source.name);
  else store.setSource('w', source);
}

interface SectionProps {
  readonly id: (typeof SECTIONS)[number]['id'];
  readonly children: ComponentChildren;
}

function Section({ id, children }: SectionProps) {
  const section = SECTIONS.find((entry) => entry.id === id);
  return (
    <section class="rail__section" id={`controls-${id}`}>
      <h2 class="rail__title">
        {id !== 'moves' && (
          <span class="symbol" style={{ color: `var(--id-${id.replace('d', '')})` }}>
            {id}
          </span>
        )}
        {section?.title}
      </h2>
      <div class="rail__fields">{children}</div>
    </section>
  );
}
