interface TrustedTypes {
  /** Its rules give what the engine takes for the address of a script, in place of a text. */
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): URL };
}

function ownAddress(address: string): string {
  if (new URL(address).origin !== location.origin) throw new TypeError(`${address} is no address of this site`);
  return address;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The only one that the page's policy (web/site/policy.ts) lets be made. */
const policy = trustedTypes?.createPolicy('conv2d-worker', { createScriptURL: ownAddress });

/** The address of a worker, which has to be one of this site. Where the page's policy holds, none starts from a mere text. */
export function scriptAddress(address: string): URL {
  const url = new URL(address, globalThis.location?.href);
  return policy ? policy.createScriptURL(url.href) : url;
}
