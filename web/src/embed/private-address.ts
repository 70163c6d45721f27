/**
 * A window with a private address: an embed adds no entries to the history of the host page, and a reload shows the
 * state that the host set. An address that the host sets is still read.
 */
export function withPrivateAddress(page: Window): Window {
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
