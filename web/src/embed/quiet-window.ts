/**
 * A window whose address nobody sees. What is done in an embed is no step in the history of the page that shows it, and the
 * frame is opened again as that page has it; an address that the page gives the frame is read as ever.
 */
export function quietWindow(page: Window): Window {
  let { hash } = page.location;
  page.addEventListener('hashchange', () => {
    hash = page.location.hash;
  });
  const put = (_state: unknown, _title: string, address?: string | URL | null) => {
    if (address != null) hash = new URL(address, page.location.href).hash;
  };
  const own: Readonly<Record<PropertyKey, unknown>> = {
    history: { state: null, pushState: put, replaceState: put },
    location: {
      get hash() {
        return hash;
      },
    },
  };
  return new Proxy(page, {
    get(target, name) {
      if (name in own) return own[name];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
