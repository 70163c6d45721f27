/** The flip of w, seen: first its rows change places, then its columns. Only the cells move; they end where they are drawn. */

/** Of a phase, and before the first one, in ms. */
const PHASE = 220;
const REST = 200;

/** Shows the flip in the panel of the flipped w. Not with reduced motion. */
export function flipKernel(): void {
  const cells = document.querySelectorAll<HTMLElement>('.panel--w_flipped [role="gridcell"]');
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const size = cells[0]?.offsetWidth ?? 0;
  const last = { row: 0, col: 0 };
  const spotOf = ({ dataset }: HTMLElement) => ({ row: Number(dataset.row), col: Number(dataset.col) });
  for (const cell of cells) {
    const { row, col } = spotOf(cell);
    last.row = Math.max(last.row, row);
    last.col = Math.max(last.col, col);
  }
  for (const cell of cells) {
    const { row, col } = spotOf(cell);
    const [across, down] = [(last.col - 2 * col) * size, (last.row - 2 * row) * size];
    const moves = [
      { transform: `translate(${across}px, ${down}px)`, offset: 0 },
      { transform: `translate(${across}px, ${down}px)`, offset: REST / (REST + 2 * PHASE), easing: 'ease-in-out' },
      { transform: `translate(${across}px, 0)`, offset: (REST + PHASE) / (REST + 2 * PHASE), easing: 'ease-in-out' },
      { transform: 'none', offset: 1 },
    ];
    for (const running of cell.getAnimations?.() ?? []) running.cancel();
    cell.animate?.(moves, REST + 2 * PHASE);
  }
}

let wasShown = false;

/** The first time that a chosen step is shown. */
export function flipOnce(): void {
  if (wasShown) return;
  wasShown = true;
  flipKernel();
}
