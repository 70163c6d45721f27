import { useMemo, useRef } from 'preact/hooks';
import type { CommandContext } from '../../commands/command';
import { perform } from '../../commands/list';
import { PRESET_GROUPS, type Preset } from '../../lessons/presets';
import { parseLink } from '../../link/parse-link';
import { Button } from '../../ui/controls/Button';
import { Sheet } from '../page/Sheet';
import type { Examples } from './examples';
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

/** Direction of each arrow key. */
const WAYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move the focus to the nearest example in that direction. Left and right continue on the next row. */
function moveByArrows(event: KeyboardEvent): void {
  const way = WAYS[event.key];
  const button = event.currentTarget;
  if (!way || !(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const buttons = [...(button.closest('.examples')?.querySelectorAll('button') ?? [])];
  const [x, y] = way;
  const next = x === 0 ? vertically(buttons, button, y) : buttons[buttons.indexOf(button) + x];
  next?.focus();
}

function vertically(buttons: readonly HTMLElement[], from: HTMLElement, way: number): HTMLElement | undefined {
  const here = from.getBoundingClientRect();
  const distance = (button: HTMLElement): number => {
    const { left, top } = button.getBoundingClientRect();
    const down = (top - here.top) * way;
    // A row counts more than any horizontal distance.
    return down < 1 ? Number.POSITIVE_INFINITY : down * 1000 + Math.abs(left - here.left);
  };
  return buttons.reduce<HTMLElement | undefined>(
    (found, button) => (distance(button) < (found ? distance(found) : Number.POSITIVE_INFINITY) ? button : found),
    undefined,
  );
}
