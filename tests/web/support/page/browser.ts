/** What the page uses of a browser and happy-dom lacks: popovers and their events, pseudo-classes, drawing, layout. */

const OPEN = 'data-open-popover';
const NEVER = ':not(*)';
const plain = (selector: string): string =>
  selector.replaceAll(':popover-open', `[${OPEN}]`).replaceAll(':focus-visible', NEVER);

const toggled = (type: string, newState: string): Event => Object.assign(new Event(type), { newState });

function showPopover(this: HTMLElement): void {
  if (this.hasAttribute(OPEN)) return;
  this.dispatchEvent(toggled('beforetoggle', 'open'));
  this.setAttribute(OPEN, '');
  // In a browser a task of its own, after the page was rendered.
  setTimeout(() => this.dispatchEvent(toggled('toggle', 'open')));
}

function hidePopover(this: HTMLElement): void {
  if (!this.hasAttribute(OPEN)) return;
  this.dispatchEvent(toggled('beforetoggle', 'closed'));
  this.removeAttribute(OPEN);
  setTimeout(() => this.dispatchEvent(toggled('toggle', 'closed')));
}

export const openPopovers = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(`[${OPEN}]`)];

export function closePopover(popover: HTMLElement): void {
  const invoker = document.querySelector<HTMLElement>(`[popovertarget="${popover.id}"]`);
  const hadFocus = popover.contains(document.activeElement);
  hidePopover.call(popover);
  if (hadFocus) invoker?.focus();
}

/** Of a click on a button with a popover. */
export function togglePopover(button: Element): void {
  const target = button.closest('[popovertarget]')?.getAttribute('popovertarget');
  const popover = target ? document.getElementById(target) : null;
  if (popover) (popover.hasAttribute(OPEN) ? hidePopover : showPopover).call(popover);
}

export function completeDocument(): void {
  if ('showPopover' in HTMLElement.prototype) return;
  const element = Element.prototype;
  Object.assign(HTMLElement.prototype, { showPopover, hidePopover });
  for (const [owner, names] of [
    [element, ['matches', 'closest', 'querySelector']],
    [Document.prototype, ['querySelector']],
  ] as const) {
    for (const name of names) {
      const find = Reflect.get(owner, name) as (selector: string) => unknown;
      Reflect.set(owner, name, function (this: unknown, selector: string) {
        return find.call(this, plain(selector));
      });
    }
  }
  element.scrollIntoView = () => undefined;
  element.animate = (_, options) => {
    const { duration = 0, delay = 0 } = typeof options === 'object' ? options : { duration: options };
    const animation = { onfinish: () => undefined, oncancel: () => undefined, cancel: () => animation.oncancel() };
    setTimeout(() => animation.onfinish(), Number(duration) + delay);
    return animation as unknown as Animation;
  };
  // Without a context nothing is drawn: pictures are the subject of the browser tests.
  HTMLCanvasElement.prototype.getContext = (() => null) as never;
  Object.assign(globalThis, {
    OffscreenCanvas: class {
      width = 0;
      height = 0;
      getContext = () => null;
    },
  });
}
