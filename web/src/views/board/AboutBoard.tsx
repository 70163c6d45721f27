/** Text in the side panel while no cell is explained. */
export function AboutBoard() {
  return (
    <>
      <p>
        <strong>Forward.</strong> Each cell of y is the sum of one window of x times w, cell by cell. The kernel is not
        flipped: strictly, this is cross-correlation, as in deep learning.
      </p>
      <p>
        <strong>Backward.</strong> dy is short for dL/dy: how the loss L changes with each cell of y. dx is computed
        from dy and w, dw from dy and x, and db from dy alone.
      </p>
    </>
  );
}
