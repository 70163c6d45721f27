import type { Cell } from '../../protocol/cell';

interface CellChipProps {
  readonly label: string;
  /** null for a factor in the padding, which has no link. */
  readonly cell: Cell | null;
  readonly onGo: (cell: Cell) => void;
}

/** The name of a cell; a click selects it. */
export function CellChip({ label, cell, onGo }: CellChipProps) {
  const family = label.replace(/^d/, '').charAt(0);
  const style = { '--accent': `var(--id-${family})` };
  if (!cell) return <span class="chip chip--nowhere">{label}</span>;
  return (
    <button type="button" class="chip" style={style} onClick={() => onGo(cell)}>
      {label}
    </button>
  );
}
