import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../ui/controls/Button';
import { FoldIcon } from '../icons';
import { useFoothold } from '../use-foothold';
import { ControlFields, type ControlFieldsProps } from './ControlFields';
import { SECTIONS } from './sections';
import './control-column.css';

/** The controls as a column beside the stage, which folds to its symbols. */
export function ControlColumn(props: ControlFieldsProps) {
  const { look } = props.page;
  const column = useRef<HTMLElement>(null);
  const goal = useRef<string | null>(null);
  const folded = look.controls.value === 'folded';
  // Whoever opens the column by a symbol wants that part of it.
  useEffect(() => {
    if (folded || !goal.current) return;
    column.current?.querySelector(`#controls-${goal.current}`)?.scrollIntoView({ block: 'start' });
    goal.current = null;
  }, [folded]);
  useFoothold(folded, () => column.current?.querySelector('button'));
  const unfold = (section: string | null) => {
    goal.current = section;
    look.controls.value = 'open';
  };
  if (folded) {
    return (
      <section ref={column} class="controls controls--folded" aria-label="Controls">
        <Button kind="icon" label="Show the controls" onClick={() => unfold(null)}>
          <FoldIcon open={false} />
        </Button>
        {SECTIONS.map(({ id, symbol, title }) => (
          <Button key={id} kind="icon" label={`Controls: ${title}`} onClick={() => unfold(id)}>
            <span class="symbol" style={{ color: `var(--id-${symbol.replace('d', '')}, currentColor)` }}>
              {symbol}
            </span>
          </Button>
        ))}
      </section>
    );
  }
  return (
    <section ref={column} class="controls" aria-label="Controls">
      <div class="controls__head">
        <h2 class="controls__title">Controls</h2>
        <Button
          kind="icon"
          label="Fold the controls"
          onClick={() => {
            look.controls.value = 'folded';
          }}
        >
          <FoldIcon open />
        </Button>
      </div>
      <ControlFields {...props} />
    </section>
  );
}
