import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useWidth, useWindowHeight } from '../ui/use-size';
import { layoutBoard } from '../views/board-layout';
import { VIEWS } from '../views/list';
import type { Scene, SceneEvents } from '../views/scene';

interface BoardProps {
  readonly scene: Omit<Scene, 'layout'>;
  readonly events: SceneEvents;
  /** A newer problem is being computed, and has been for a while: the picture is of the one before. */
  readonly late: boolean;
  /** Settings of the picture, at the end of the first headline. */
  readonly settings: ComponentChildren;
}

/** Heads, legends and the page's own lines above and below two rows of grids, in CSS pixels. */
const AROUND = 330;
/** Grids are not made smaller than this for the sake of a low window. */
const LEAST_TALL = 270;
const MOST_TALL = 560;
/** Height of the sign between two grids. */
const SIGN = 24;

/** Lays the views out for the room there is. */
export function Board({ scene, events, late, settings }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const g = scene.geometry;
  // Forward and backward fit the window together, so that nobody has to scroll to compare them.
  const tallest = Math.max(LEAST_TALL, Math.min(MOST_TALL, (useWindowHeight() - AROUND) / 2));
  const layout = useMemo(() => layoutBoard(g, width, tallest), [g, width, tallest]);
  const [x, w, y] = layout.columns;
  const style = {
    '--column-x': `${x}px`,
    '--column-w': `${w}px`,
    '--column-y': `${y}px`,
    '--sign-drop': `${(g.kh * layout.cell.w - SIGN) / 2}px`,
  };
  const classes = ['board', `board--${layout.arrangement}`, late ? 'board--late' : ''];
  return (
    <div ref={element} class={classes.join(' ')} style={style}>
      {width > 0 &&
        VIEWS.map(({ id, title, sentence, Component }, i) => (
          <section key={id} class="view" aria-labelledby={`view-${id}`}>
            <div class="view__head">
              <h2 class="view__title" id={`view-${id}`}>
                {title}
              </h2>
              <p class="view__sentence">{sentence}</p>
              {i === 0 && <div class="view__settings">{settings}</div>}
            </div>
            <Component scene={{ ...scene, layout }} events={events} />
          </section>
        ))}
    </div>
  );
}
