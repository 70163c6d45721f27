import './refusal.css';

interface RefusalProps {
  /** null: nothing was refused. */
  readonly why: string | null;
}

/** Why a value was not taken. Read aloud when it appears. */
export function Refusal({ why }: RefusalProps) {
  return (
    <span class="refusal" role="alert">
      {why}
    </span>
  );
}
