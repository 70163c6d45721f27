import { useMemo, useRef } from 'preact/hooks';
import type { CommandContext } from '../../commands/command';
import { perform } from '../../commands/list';
import { PRESET_GROUPS, type Preset } from '../../lessons/presets';
import { parseLink } from '../../link/parse-link';
import { Button } from '../../ui/controls/Button';
import { Sheet } from '../page/Sheet';
import type { Examples } from './examples';
import { moveByArrows } from './move-by-arrows';
import { Thumbnail } from './Thumbnail';
import './examples.css';

interface ExamplesSheetProps {
  readonly examples: Examples;
  readonly context: CommandContext;
  readonly onClose: () => void;
}

/** All examples with a thumbnail, a title and a sentence; arrow keys move between them. */
export function ExamplesSheet({ examples, context, onClose }: ExamplesSheetProps) {
  const close = useRef<() => void>(null);
  const choose = (preset: Preset) => {
    void examples.open(preset);
    close.current?.();
  };
  return (
    <Sheet title="Examples" wide closer={close} onClose={onClose}>
      <p class="examples__compare">
        <Button
          shortcut="C"
          onClick={() => {
            perform('compare', context);
            close.current?.();
          }}
        >
          Compare with another problem
        </Button>
      </p>
      <div class="examples">
        {PRESET_GROUPS.map(({ title, presets }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul class="examples__list">
              {presets.map((preset) => (
                <li key={preset.hash}>
                  <Example preset={preset} current={examples.current.value === preset} onChoose={choose} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

interface ExampleProps {
  readonly preset: Preset;
  readonly current: boolean;
  readonly onChoose: (preset: Preset) => void;
}

function Example({ preset, current, onChoose }: ExampleProps) {
  const { title, sentence, hash } = preset;
  const { desc } = useMemo(() => parseLink(hash).problem, [hash]);
  return (
    <button
      type="button"
      class="example"
      aria-current={current}
      onClick={() => onChoose(preset)}
      onKeyDown={moveByArrows}
    >
      <Thumbnail desc={desc} />
      <span class="example__title">{title}</span>
      <span class="example__sentence">{sentence}</span>
    </button>
  );
}
