// Each build of the site has a cache of its own, which is filled once and never changed: a page goes on with what it was begun
// with. The service worker and the page both look into them.

/** Caches belong to the whole origin: another page there, or another copy of this one, has its own. */
export const familyOf = (site: string): string => `conv2d ${site} `;

/** The caches of a site's builds, oldest first. `site` is the address of its page. */
export async function buildsOf(site: string): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(familyOf(site)));
}

/** The newest build that is there as a whole: its page comes into its cache last. */
export async function newestBuild(site: string): Promise<string | undefined> {
  const builds = await buildsOf(site);
  const whole = await Promise.all(builds.map((cacheName) => caches.match(site, { cacheName })));
  return builds.findLast((_, i) => whole[i]);
}
