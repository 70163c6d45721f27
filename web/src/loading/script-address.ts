interface TrustedTypes {
  /** Creates a policy for values that the browser accepts as addresses of scripts. */
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): URL };
}

function ownAddress(address: string): string {
  // Not that of `location`: a file's and a framed text's are in no blob's address.
  if (new URL(address).origin !== origin) throw new TypeError(`${address} is not an address of this site`);
  return address;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

/** The only Trusted Types policy that the page's CSP (web/site/policy.ts) allows. */
const policy = trustedTypes?.createPolicy('conv2d-worker', { createScriptURL: ownAddress });

/** The address of a worker of this site. With the page's CSP, a browser starts no worker from a plain string. */
export function scriptAddress(address: string): URL {
  const url = new URL(address, globalThis.location?.href);
  return policy ? policy.createScriptURL(url.href) : url;
}
