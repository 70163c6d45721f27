// The links of a built site that lead nowhere, and its requests to other sites.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const ENTITIES = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>', '&#39;': "'" };
const decoded = (text) => text.replace(/&(amp|quot|lt|gt|#39);/g, (entity) => ENTITIES[entity]);

/** The tags of a page, without the text of its scripts. */
function tagsOf(html) {
  const tags = html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/g, (script) => `${script.split('>')[0]}>`)
    .matchAll(/<[a-z][^>]*>/g);
  return [...tags].map(([tag]) => {
    const attribute = (name) => {
      const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
      return value === undefined ? undefined : decoded(value);
    };
    return { name: /^<([a-z]+)/.exec(tag)?.[1], id: attribute('id'), address: attribute('href') ?? attribute('src') };
  });
}

/**
 * { count, broken }: the number of links of a site in the folder `site`, and a line for each that is broken. `base` is its path on
 * the server, and `page` the address of the page, which is not in the folder.
 */
export function brokenLinks(site, { base, page }) {
  const pages = new Map(
    readdirSync(site, { recursive: true })
      .filter((name) => name.endsWith('.html'))
      .map((name) => [join(site, name), tagsOf(readFileSync(join(site, name), 'utf8'))]),
  );
  const ids = new Map([...pages].map(([file, tags]) => [file, new Set(tags.map(({ id }) => id))]));
  const origin = 'http://localhost';

  const faultOf = (from, { name, address }) => {
    const url = new URL(address, `${origin}${base}${relative(site, from)}`);
    if (url.origin !== origin) return name === 'a' ? undefined : 'is a request to another site';
    if (url.protocol === 'data:') return undefined;
    if (!url.pathname.startsWith(base)) return `${url.pathname}` === page ? undefined : 'leads out of the site';
    let file = join(site, decodeURIComponent(url.pathname.slice(base.length)));
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) return 'does not exist';
    const id = decodeURIComponent(url.hash.slice(1));
    return id === '' || ids.get(file)?.has(id) ? undefined : 'has no such part';
  };

  let count = 0;
  const broken = [];
  for (const [file, tags] of pages)
    for (const tag of tags.filter(({ address }) => address !== undefined)) {
      count += 1;
      const fault = faultOf(file, tag);
      if (fault) broken.push(`${relative(site, file)}: ${tag.address} ${fault}`);
    }
  return { count, broken };
}
