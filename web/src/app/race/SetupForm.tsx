import type { ComponentChildren } from 'preact';
import type { ConvDesc } from '../../protocol/problem';
import { PASSES } from '../../protocol/problem';
import { Checkbox, Segmented, Select } from '../../ui/controls/Choice';
import { PASS_NAMES } from './format';
import { requestOf, secondsOf } from './plan';
import type { Setup } from './setup';
import { NAMED_SHAPES } from './shapes';
import { SWEEPS } from './sweep';

interface SetupFormProps {
  /** The start button or the progress. */
  readonly children: ComponentChildren;
  readonly setup: Setup;
  readonly current: ConvDesc;
  /** Starts with long lists folded. */
  readonly small: boolean;
  readonly onChange: (setup: Setup) => void;
}

export function SetupForm({ setup, current, small, onChange, children }: SetupFormProps) {
  const { what, names, parameter, base, passes, every, careful } = setup;
  const toggled = <Item,>(list: readonly Item[], item: Item, on: boolean) =>
    on ? [...list, item] : list.filter((each) => each !== item);
  const request = requestOf(setup, current);
  return (
    <div class="race__form">
      <Segmented
        label="Problems"
        value={what}
        options={[
          { value: 'this', label: 'This problem' },
          { value: 'named', label: 'Layers', hint: 'Layers of known networks, and extreme shapes' },
          { value: 'sweep', label: 'Sweep', hint: 'One size varies, the others stay fixed' },
        ]}
        onChange={(value) => onChange({ ...setup, what: value })}
      />
      {children}
      <p class="race__estimate">
        {request.tasks.length === 0
          ? 'Nothing selected.'
          : `${request.tasks.length} ${request.tasks.length === 1 ? 'race' : 'races'}, about ${lengthText(secondsOf(request))}.`}
      </p>
      {what === 'named' && (
        <details class="race__more" open={!small}>
          <summary>Layers: {names.join(', ') || 'none'}</summary>
          <fieldset class="race__choices">
            <legend class="visually-hidden">Layers</legend>
            {NAMED_SHAPES.map(({ name, note }) => (
              <Checkbox
                key={name}
                label={`${name}: ${note}`}
                checked={names.includes(name)}
                onChange={(on) => onChange({ ...setup, names: inOrder(toggled(names, name, on)) })}
              />
            ))}
          </fieldset>
        </details>
      )}
      {what === 'sweep' && (
        <>
          <Select
            label="Vary"
            value={parameter}
            options={SWEEPS.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={(value) => onChange({ ...setup, parameter: value })}
          />
          <Select
            label="Other sizes from"
            value={base}
            options={[
              { value: 'this', label: 'this problem' },
              ...NAMED_SHAPES.map(({ name, note }) => ({ value: name, label: `${name}: ${note}` })),
            ]}
            onChange={(value) => onChange({ ...setup, base: value })}
          />
        </>
      )}
      <fieldset class="race__choices">
        <legend>Results</legend>
        {PASSES.map((pass) => (
          <Checkbox
            key={pass}
            label={PASS_NAMES[pass]}
            checked={passes.includes(pass)}
            onChange={(on) => {
              const next = toggled(passes, pass, on);
              onChange({ ...setup, passes: PASSES.filter((each) => next.includes(each)) });
            }}
          />
        ))}
      </fieldset>
      <Checkbox
        label="All algorithms of the library"
        checked={every}
        onChange={(on) => onChange({ ...setup, every: on })}
      />
      <Checkbox
        label="Three times as many rounds"
        checked={careful}
        onChange={(on) => onChange({ ...setup, careful: on })}
      />
    </div>
  );
}

const inOrder = (names: readonly string[]) =>
  NAMED_SHAPES.map(({ name }) => name).filter((name) => names.includes(name));

const lengthText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(5, 5 * Math.round(seconds / 5))} seconds` : `${Math.round(seconds / 60)} minutes`;
