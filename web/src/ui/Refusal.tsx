import './controls/message.css';

interface RefusalProps {
  /** null: the value was accepted. */
  readonly why: string | null;
}

/** Why a value was rejected. Announced by screen readers when it appears. */
export function Refusal({ why }: RefusalProps) {
  return (
    <span class="refusal" role="alert">
      {why}
    </span>
  );
}
