import type { ComponentChildren } from 'preact';

interface SectionProps {
  /** The name of the component, and of its pictures. */
  readonly name: string;
  /** What a picture needs first, on the first match of a selector. */
  readonly clicks?: string;
  readonly hovers?: string;
  /** Keys to press after the click, separated by spaces. */
  readonly keys?: string;
  /** The picture is of this element, which lies over the page. */
  readonly shows?: string;
  readonly children: ComponentChildren;
}

/** A component in all its states. */
export function Section({ name, clicks, hovers, keys, shows, children }: SectionProps) {
  return (
    <section class="section" id={name} data-clicks={clicks} data-hovers={hovers} data-keys={keys} data-shows={shows}>
      <h2>{name}</h2>
      <div class="specimens">{children}</div>
    </section>
  );
}

interface SpecimenProps {
  /** The state. */
  readonly of: string;
  /** A state of the pointer or the keyboard, which the test forces on the elements that `on` selects. */
  readonly force?: 'hover' | 'focus-visible' | 'active';
  readonly on?: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A component in one state. */
export function Specimen({ of, force, on, wide = false, children }: SpecimenProps) {
  return (
    <div class={wide ? 'specimen specimen--wide' : 'specimen'} data-force={force} data-on={on}>
      <h3>{of}</h3>
      {children}
    </div>
  );
}
