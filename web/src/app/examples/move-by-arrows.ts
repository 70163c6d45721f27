/** Direction of each arrow key. */
const WAYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Arrow keys move the focus to the nearest example in that direction. Left and right continue on the next row. */
export function moveByArrows(event: KeyboardEvent): void {
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
