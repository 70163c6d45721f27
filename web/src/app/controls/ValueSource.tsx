import type { InputTensor } from '../../sources/inputs';
import { choicesOf, type TensorSource, tensorEntry } from '../../sources/tensor-sources';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';

interface ValueSourceProps {
  readonly tensor: 'x' | 'w';
  readonly input: InputTensor;
  readonly onChange: (source: TensorSource) => void;
}

/** The source of the values of x or w. */
export function ValueSource({ tensor, input, onChange }: ValueSourceProps) {
  const { source, edited, data } = input;
  const choices = choicesOf(tensor);
  const { title, another } = tensorEntry(source);
  const next = edited ? undefined : another?.(source);
  return (
    <div class="value-source">
      <Select
        label={tensor === 'w' ? 'filter' : 'values'}
        options={choices.map(({ key, label }) => ({ value: key, label }))}
        value={edited ? '' : (choices.find(({ is }) => is(source))?.key ?? '')}
        placeholder={edited ? `${title(source)}, edited` : title(source)}
        onChange={(key) => {
          const chosen = choices.find((choice) => choice.key === key);
          if (chosen) onChange(chosen.make(data.length));
        }}
      />
      {next && (
        <Button label={`Shuffle ${tensor}`} onClick={() => onChange(next)}>
          Shuffle
        </Button>
      )}
    </div>
  );
}
