import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { isPerPosition } from '../../losses/list';
import { oneHot } from '../../sources/distribution';
import { another, LOSS_WORDS, type Loss, type LossWord, painted, wordOf } from '../../sources/loss';
import { LOSS_TEXTS, lossOf } from '../../sources/loss-menu';
import { Button } from '../../ui/controls/Button';
import { Select } from '../../ui/controls/Choice';
import { Popover } from '../../ui/controls/Popover';
import { useViewModel } from './view-model';
import './dy-menu.css';

/** The title of dy: a button with its source, which opens the choice of the source and its settings. */
export function DyMenu({
  subtitle,
  onChoose,
  children,
}: {
  /** In place of the source, where a link hides the choice. */
  subtitle: string;
  /** After another one was chosen. */
  onChoose?: ((word: LossWord) => void) | undefined;
  /** The settings of the view, below those of the source. */
  children?: ComponentChildren;
}) {
  const { content, loss, locked, hiddenParts, events } = useViewModel();
  const name = useId();
  const chosen = wordOf(loss.value);
  const { label, description, hint } = LOSS_TEXTS[chosen];
  const hidden = hiddenParts.value.includes('values.dy');
  const title = (
    <>
      <span class="figure__title">dy</span> <span class="figure__subtitle caption">{hidden ? subtitle : label}</span>
    </>
  );
  if (hidden) return title;
  const face = (
    <>
      {title}
      <svg class="dy-menu__chevron" width="9" height="6" viewBox="0 0 9 6" aria-hidden="true">
        <path d="M1 1l3.5 3.5L8 1" fill="none" stroke="currentColor" stroke-width="1.5" />
      </svg>
    </>
  );
  return (
    <Popover
      button={face}
      buttonClass="dy-menu__button lit"
      label="dy"
      role="group"
      align="left"
      first="input:checked, input, button"
    >
      {() => (
        <div class="dy-menu grid">
          <fieldset class="dy-menu__source" disabled={locked.value.includes('dy')}>
            <legend class="visually-hidden">source of dy</legend>
            <div class="dy-menu__list">
              {LOSS_WORDS.map((word) => (
                <label key={word} class="dy-menu__item row lit">
                  <input
                    type="radio"
                    name={name}
                    value={word}
                    checked={word === chosen}
                    aria-description={LOSS_TEXTS[word].description}
                    onChange={() => {
                      const { tensors, geometry } = content.peek();
                      if (!tensors.dy) return;
                      events.onLoss(lossOf(word, { shape: tensors.dy.shape, dy: tensors.dy.data }), geometry);
                      onChoose?.(word);
                    }}
                  />
                  <span>{LOSS_TEXTS[word].label}</span>
                </label>
              ))}
            </div>
            <p class="dy-menu__words note">
              {description} {hint}
            </p>
            <LossSettings loss={loss.value} />
          </fieldset>
          {children}
        </div>
      )}
    </Popover>
  );
}

function LossSettings({ loss }: { loss: Loss }) {
  const { content, events } = useViewModel();
  const next = another(loss);
  const set = (to: Loss) => events.onLoss(to, content.peek().geometry);
  return (
    <div class="dy-menu__row row wrap">
      {next && <Button onClick={() => set(next)}>Shuffle</Button>}
      {isPerPosition(loss.kind) && <ClassChoice loss={loss} />}
      {loss.kind !== 'given' && !isPerPosition(loss.kind) && (
        <>
          <Button
            onClick={() => {
              const { y } = content.peek().tensors;
              if (y) set({ ...loss, target: y.data.slice() });
            }}
          >
            Use y as the target
          </Button>
          <Button onClick={() => set({ ...loss, target: null })}>Target 0</Button>
        </>
      )}
      {wordOf(loss) === 'values' && (
        <Button
          onClick={() => {
            const { dy } = content.peek().tensors;
            if (dy) set(painted(dy.shape, new Float32Array(dy.data.length)));
          }}
        >
          Clear
        </Button>
      )}
    </div>
  );
}

/** More channels have no choice. */
const MOST_CLASSES = 32;

/** The channel with the target 1, the same at every position. */
function ClassChoice({ loss }: { loss: Loss }) {
  const { content, events } = useViewModel();
  const { geometry, tensors } = content.value;
  const { layout, k } = geometry;
  const shape = tensors.y?.shape;
  if (loss.kind === 'given' || !shape || k > MOST_CLASSES) return null;
  const { target } = loss;
  const classes = Array.from({ length: k }, (_, channel) => channel);
  const chosen = target
    ? classes.find((channel) => oneHot(layout, shape, channel).every((value, i) => value === target[i]))
    : 0;
  return (
    <Select
      label="target class"
      options={classes.map((value) => ({ value: String(value) }))}
      value={chosen === undefined ? '' : String(chosen)}
      placeholder="several"
      onChange={(value) => {
        events.onLoss({ ...loss, target: value === '0' ? null : oneHot(layout, shape, Number(value)) }, geometry);
      }}
    />
  );
}
