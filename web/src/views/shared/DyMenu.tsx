import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { DY_SOURCES, type DySource, dyEntry, painted } from '../../sources/dy-sources';
import { DY_WORDS } from '../../sources/dy-words';
import { Button } from '../../ui/controls/Button';
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
  /** After another source was chosen. */
  onChoose?: ((kind: DySource['kind']) => void) | undefined;
  /** The settings of the view, below those of the source. */
  children?: ComponentChildren;
}) {
  const { content, dySource, locked, hiddenParts, events } = useViewModel();
  const name = useId();
  const source = dySource.value;
  const { label, description, hint } = DY_WORDS[source.kind];
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
              {DY_SOURCES.map((entry) => (
                <label key={entry.kind} class="dy-menu__item row lit">
                  <input
                    type="radio"
                    name={name}
                    value={entry.kind}
                    checked={entry.kind === source.kind}
                    aria-description={DY_WORDS[entry.kind].description}
                    onChange={() => {
                      const { tensors, geometry } = content.peek();
                      if (!tensors.dy) return;
                      events.onDy(entry.make({ shape: tensors.dy.shape, dy: tensors.dy.data }), geometry);
                      onChoose?.(entry.kind);
                    }}
                  />
                  <span>{DY_WORDS[entry.kind].label}</span>
                </label>
              ))}
            </div>
            <p class="dy-menu__words note">
              {description} {hint}
            </p>
            <SourceSettings source={source} />
          </fieldset>
          {children}
        </div>
      )}
    </Popover>
  );
}

function SourceSettings({ source }: { source: DySource }) {
  const { content, events } = useViewModel();
  const { loss, another } = dyEntry(source);
  const next = another?.(source);
  const set = (to: DySource) => events.onDy(to, content.peek().geometry);
  return (
    <div class="dy-menu__row row wrap">
      {next && <Button onClick={() => set(next)}>Shuffle</Button>}
      {loss && (
        <>
          <Button
            onClick={() => {
              const { y } = content.peek().tensors;
              if (y) set(loss.toward(y.data.slice()));
            }}
          >
            Use y as the target
          </Button>
          <Button onClick={() => set(loss.toward(null))}>Target 0</Button>
        </>
      )}
      {source.kind === 'values' && (
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
