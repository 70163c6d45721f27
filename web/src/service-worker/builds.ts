// Each build of the site has its own cache, which is filled once and never changed: an open page keeps the files of its
// build. Used by the service worker and by the page.

/** Prefix of the caches of a site: the origin may have other sites, or other copies of this one. */
export const familyOf = (site: string): string => `conv2d ${site} `;

/** The caches of a site's builds, oldest first. `site`: the address of its page. */
export async function buildsOf(site: string): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(familyOf(site)));
}

/** The newest complete build. The page is added to a cache last. */
export async function newestBuild(site: string): Promise<string | undefined> {
  const builds = await buildsOf(site);
  const whole = await Promise.all(builds.map((cacheName) => caches.match(site, { cacheName })));
  return builds.findLast((_, i) => whole[i]);
}
