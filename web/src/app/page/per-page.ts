import type { Page } from './page';

/** A part of the page that is made when it is first needed, and survives the components that use it. */
export function perPage<Part>(create: (page: Page) => Part): (page: Page) => Part {
  const parts = new WeakMap<Page, Part>();
  return (page) => {
    const part = parts.get(page) ?? create(page);
    parts.set(page, part);
    return part;
  };
}
