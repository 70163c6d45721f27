interface LinkToggleProps {
  readonly label: string;
  readonly linked: boolean;
  readonly onChange: (linked: boolean) => void;
}

/** Toggle for linked fields: a closed or an open chain link. */
export function LinkedFieldsToggle({ label, linked, onChange }: LinkToggleProps) {
  return (
    <button
      type="button"
      class="link-toggle"
      aria-label={label}
      aria-pressed={linked}
      title={label}
      onClick={() => onChange(!linked)}
    >
      <svg
        width="14"
        height="18"
        viewBox="0 0 14 18"
        fill="none"
        stroke="currentColor"
        stroke-width="1.6"
        aria-hidden="true"
      >
        <path d="M4 7.5V5a3 3 0 0 1 6 0v2.5M4 10.5V13a3 3 0 0 0 6 0v-2.5" />
        {linked && <path d="M7 6v6" />}
      </svg>
    </button>
  );
}
