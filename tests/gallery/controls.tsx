import { Button } from '../../web/src/ui/controls/Button';
import { Checkbox, FileButton, type Option, Segmented, Select } from '../../web/src/ui/controls/Choice';
import { Menu } from '../../web/src/ui/controls/Menu';
import { type NumberBounds, NumberField, StepSlider } from '../../web/src/ui/controls/NumberField';
import { type Tab, Tabs } from '../../web/src/ui/controls/Tabs';
import { ProgressBar, RefusalNotice } from '../../web/src/ui/notices';
import { Scrubber } from '../../web/src/ui/scrubber/Scrubber';
import { Section, Specimen } from './specimen';

const nothing = () => undefined;
const LONG = 'A label that is much longer than the room that it has in a narrow column of controls';

const BOUNDS: NumberBounds = { min: 1, max: 9, minReason: 'at least one row', maxReason: 'at most nine', values: null };
const OPTIONS: readonly Option<string>[] = [
  { value: 'valid', label: 'valid', hint: 'no padding' },
  { value: 'same', label: 'same', hint: 'as many outputs as inputs' },
  { value: 'full', label: 'full' },
];
const LONG_OPTIONS: readonly Option<string>[] = [{ value: LONG, label: LONG }];
const ICON = (
  <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
    <path d="M6 4.5v11l9-5.5z" />
  </svg>
);

const tab = (id: string, more: Partial<Tab> = {}): Tab => ({ id, title: id, content: () => `Panel of ${id}`, ...more });
const TABS = [tab('Overview'), tab('Backward'), tab('As matrices'), tab('Locked', { locked: 'Locked by this link' })];

const button = (kind: 'plain' | 'primary' | 'icon', disabled = false) => (
  <Button kind={kind} disabled={disabled} {...(kind === 'icon' ? { label: 'Play' } : {})} onClick={nothing}>
    {kind === 'icon' ? ICON : 'Copy link'}
  </Button>
);

const numberField = (more: Partial<Parameters<typeof NumberField>[0]> = {}) => (
  <div style={{ width: '248px' }}>
    <NumberField label="height" value={5} bounds={BOUNDS} onChange={nothing} {...more} />
  </div>
);

/** The components of ui/controls and ui/scrubber. */
export function Controls() {
  return (
    <>
      <Section name="button">
        {(['plain', 'primary', 'icon'] as const).map((kind) => (
          <>
            <Specimen of={kind}>{button(kind)}</Specimen>
            <Specimen of="hover" force="hover" on="button">
              {button(kind)}
            </Specimen>
            <Specimen of="focus" force="focus-visible" on="button">
              {button(kind)}
            </Specimen>
            <Specimen of="disabled">{button(kind, true)}</Specimen>
          </>
        ))}
        <Specimen of="file">
          <FileButton label="a file" accept=".npy" onFile={nothing}>
            Open arrays
          </FileButton>
        </Specimen>
        <Specimen of="long text">
          <div style={{ width: '160px' }}>
            <Button onClick={nothing}>{LONG}</Button>
          </div>
        </Specimen>
      </Section>
      <Section name="segmented">
        <Specimen of="chosen">
          <Segmented label="padding" options={OPTIONS} value="same" onChange={nothing} />
        </Specimen>
        <Specimen of="nothing chosen">
          <Segmented label="padding" options={OPTIONS} value="" onChange={nothing} />
        </Specimen>
        <Specimen of="label for screen readers">
          <Segmented quiet label="padding" options={OPTIONS} value="valid" onChange={nothing} />
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="input:checked">
          <Segmented label="padding" options={OPTIONS} value="same" onChange={nothing} />
        </Specimen>
        <Specimen of="long text" wide>
          <Segmented label={LONG} options={LONG_OPTIONS} value={LONG} onChange={nothing} />
        </Specimen>
      </Section>
      <Section name="select">
        <Specimen of="rest">
          <Select label="values" options={OPTIONS} value="same" onChange={nothing} />
        </Specimen>
        <Specimen of="edited">
          <Select label="values" options={OPTIONS} value="" placeholder="edited" onChange={nothing} />
        </Specimen>
        <Specimen of="hover" force="hover" on="select">
          <Select label="values" options={OPTIONS} value="same" onChange={nothing} />
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="select">
          <Select label="values" options={OPTIONS} value="same" onChange={nothing} />
        </Specimen>
        <Specimen of="long text">
          <div style={{ width: '248px' }}>
            <Select label="values" options={LONG_OPTIONS} value={LONG} onChange={nothing} />
          </div>
        </Specimen>
      </Section>
      <Section name="checkbox">
        <Specimen of="off">
          <Checkbox label="batch norm" checked={false} onChange={nothing} />
        </Specimen>
        <Specimen of="checked">
          <Checkbox label="transpose" checked onChange={nothing} />
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="input">
          <Checkbox label="transpose" checked onChange={nothing} />
        </Specimen>
        <Specimen of="long text">
          <div style={{ width: '200px' }}>
            <Checkbox label={LONG} checked={false} onChange={nothing} />
          </div>
        </Specimen>
      </Section>
      <Section name="number-field">
        <Specimen of="rest">{numberField()}</Specimen>
        <Specimen of="hover" force="hover" on=".number-field__box">
          {numberField()}
        </Specimen>
        <Specimen of="focus" force="focus-visible" on=".number-field__box">
          {numberField()}
        </Specimen>
        <Specimen of="invalid">{numberField({ error: 'At most 9: x has nine rows.' })}</Specimen>
        <Specimen of="long text">{numberField({ label: LONG, value: 9 })}</Specimen>
        <Specimen of="disabled">
          <fieldset disabled>{numberField()}</fieldset>
        </Specimen>
      </Section>
      <Section name="text-field">
        <Specimen of="rest">
          <input type="text" value="0.125" />
        </Specimen>
        <Specimen of="empty">
          <input type="text" placeholder="paste a link" />
        </Specimen>
        <Specimen of="hover" force="hover" on="input">
          <input type="text" value="0.125" />
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="input">
          <input type="text" value="0.125" />
        </Specimen>
        <Specimen of="invalid">
          <input type="text" value="one" aria-invalid="true" />
        </Specimen>
        <Specimen of="refused">
          <RefusalNotice why="“one” is not a number. Enter a number such as 0.5 or 1e-3." />
        </Specimen>
        <Specimen of="text to copy" wide>
          <textarea readOnly rows={2} value="https://example.org/#h=7&kh=3&stride=2&padding=1&x=ramp" />
        </Specimen>
      </Section>
      <Section name="slider">
        <Specimen of="step slider" wide>
          <StepSlider label="step ε" steps={[1, 2, 3]} value={2} text="0.1" onChange={nothing} />
        </Specimen>
        <Specimen of="progress" wide>
          <ProgressBar label="reading image" fraction={0.4} />
        </Specimen>
        <Specimen of="progress that can be cancelled" wide>
          <ProgressBar label={LONG} fraction={1} onCancel={nothing} />
        </Specimen>
      </Section>
      <Section name="menu" clicks=".menu__button">
        <Specimen of="open" wide>
          <div style={{ width: '400px', height: '180px', display: 'flex', justifyContent: 'end', alignItems: 'start' }}>
            <Menu
              label="More"
              items={[
                { id: 'keys', label: 'Keyboard shortcuts', keys: '?', run: nothing },
                { id: 'undo', label: 'Undo', disabled: true, run: nothing },
                { id: 'long', label: 'Move between a cell and its explanation', keys: 'Shift+F6', run: nothing },
              ]}
            />
          </div>
        </Specimen>
      </Section>
      <Section name="tabs">
        <Specimen of="selected" wide>
          <Tabs label="views" tabs={TABS} selected="Overview" onSelect={nothing} />
        </Specimen>
        <Specimen of="focus" force="focus-visible" on="[aria-selected=true]" wide>
          <Tabs label="views" tabs={TABS} selected="As matrices" onSelect={nothing} />
        </Specimen>
        <Specimen of="more than fit">
          <div style={{ width: '200px' }}>
            <Tabs label="views" tabs={TABS} selected="Overview" onSelect={nothing} />
          </div>
        </Specimen>
      </Section>
      <Section name="scrubber">
        <Specimen of="start" wide>
          <Scrubber label="position" value={0} total={9} row={3} sentence="Press Play." onChange={nothing} />
        </Specimen>
        <Specimen of="long text" wide>
          <Scrubber
            label="position"
            value={65536}
            total={65536}
            row={256}
            sentence={`${LONG}. `.repeat(3)}
            onChange={nothing}
          />
        </Specimen>
      </Section>
    </>
  );
}
