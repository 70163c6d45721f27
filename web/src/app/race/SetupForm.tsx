import type { ComponentChildren } from 'preact';
import type { ConvDesc } from '../../protocol/problem';
import { PASSES } from '../../protocol/problem';
import { Checkbox } from '../../ui/controls/Choice';
import { PASS_NAMES } from './format';
import { requestOf, type Setup, secondsOf } from './setup';

interface SetupFormProps {
  /** The start button or the progress. */
  readonly children: ComponentChildren;
  readonly setup: Setup;
  readonly current: ConvDesc;
  readonly onChange: (setup: Setup) => void;
}

export function SetupForm({ setup, current, onChange, children }: SetupFormProps) {
  const { passes, every, careful } = setup;
  const request = requestOf(setup, current);
  const count = request.tasks.length;
  return (
    <div class="race__form">
      {children}
      <p class="race__estimate">
        {count === 0
          ? 'Nothing selected.'
          : `${count} ${count === 1 ? 'race' : 'races'}, about ${lengthText(secondsOf(request))}.`}
      </p>
      <fieldset class="race__choices">
        <legend>Results</legend>
        {PASSES.map((pass) => (
          <Checkbox
            key={pass}
            label={PASS_NAMES[pass]}
            checked={passes.includes(pass)}
            onChange={(on) => {
              const chosen = PASSES.filter((each) => (each === pass ? on : passes.includes(each)));
              onChange({ ...setup, passes: chosen });
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

const lengthText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(5, 5 * Math.round(seconds / 5))} seconds` : `${Math.round(seconds / 60)} minutes`;
