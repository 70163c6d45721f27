import { useWindowHeight } from '../../ui/use-size';
import { layoutBoard } from '../kit/board-layout';
import type { View, ViewProps } from '../kit/view';
import { Backward } from './Backward';
import { Forward } from './Forward';

/** Heads, legends and the page's own lines above and below two rows of grids, in CSS pixels. */
const AROUND = 330;
/** Grids are not made smaller than this for the sake of a low window. */
const LEAST_TALL = 270;
const MOST_TALL = 560;
/** Height of the sign between two grids. */
const SIGN = 24;

/** The two rows, and what each says. */
const ROWS = [
  {
    id: 'forward',
    title: 'Forward',
    sentence: 'Each cell of y is one window of x, multiplied by w cell by cell and added up.',
    Row: Forward,
  },
  {
    id: 'backward',
    title: 'Backward',
    sentence: 'dy says how the loss changes with each cell of y; x, w and b get their share of it.',
    Row: Backward,
  },
] as const;

/** All tensors: x, w, y, and their gradients below them. */
function BoardView({ scene, events, width }: ViewProps) {
  const g = scene.geometry;
  // Forward and backward fit the window together, so that nobody has to scroll to compare them.
  const tallest = Math.max(LEAST_TALL, Math.min(MOST_TALL, (useWindowHeight() - AROUND) / 2));
  const layout = layoutBoard(g, width, tallest);
  const [x, w, y] = layout.columns;
  const style = {
    '--column-x': `${x}px`,
    '--column-w': `${w}px`,
    '--column-y': `${y}px`,
    '--sign-drop': `${(g.kh * layout.cell.w - SIGN) / 2}px`,
  };
  return (
    <div class={`board board--${layout.arrangement}`} style={style}>
      {ROWS.map(({ id, title, sentence, Row }) => (
        <section key={id} class="view" aria-labelledby={`view-${id}`}>
          <div class="view__head">
            <h2 class="view__title" id={`view-${id}`}>
              {title}
            </h2>
            <p class="view__sentence">{sentence}</p>
          </div>
          <Row scene={{ ...scene, layout }} events={events} />
        </section>
      ))}
    </div>
  );
}

export const boardView: View = { needs: () => ({}), Component: BoardView };
