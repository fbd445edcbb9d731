/**
 * Walks the site as a link scanner would: GET only, from the home page, over every
 * link and asset of its own.
 */

/**
 * @param {object} site
 * @param {object} desk an empty page, whose parser reads the HTML
 * @returns {Promise<Map<string, object>>} by path and query: status, headers, html, type,
 *   from (where it was first met) and, for HTML, the facts of `read`
 */
export async function crawl(site, desk) {
  const met = new Map();
  const queue = [['/', 'the start']];
  while (queue.length > 0) {
    const [path, from] = queue.shift();
    if (met.has(path)) continue;
    const answer = await fetch(site.url + path, { redirect: 'manual' });
    const page = { status: answer.status, headers: answer.headers, from, type: answer.headers.get('content-type') ?? '' };
    met.set(path, page);
    const body = await answer.text();
    if (!page.type.startsWith('text/html')) continue;
    page.html = body;
    Object.assign(page, await read(desk, body, site.url + path));
    for (const address of [...page.links, ...page.assets]) {
      if (address.startsWith(`${site.url}/`)) queue.push([address.slice(site.url.length).replace(/#.*/, ''), path]);
    }
  }
  return met;
}

/** What an HTML text says of itself; addresses are absolute. */
export async function read(desk, html, base) {
  return desk.evaluate(([text, url]) => {
    const doc = new DOMParser().parseFromString(text, 'text/html');
    const all = (selector, name) => [...doc.querySelectorAll(selector)].map((e) => e.getAttribute(name));
    const absolute = (addresses) => addresses.map((address) => new URL(address, url).href);
    return {
      title: doc.title,
      lang: doc.documentElement.lang,
      headings: [...doc.querySelectorAll('h1')].map((h) => h.textContent.trim()),
      ids: all('[id]', 'id'),
      links: absolute(all('a[href]', 'href')),
      assets: absolute([...all('link[href]:not([rel=canonical]):not([rel=alternate])', 'href'), ...all('[src]', 'src')]),
      canonical: all('link[rel=canonical]', 'href'),
      robots: all('meta[name=robots]', 'content').join(),
      exits: [...doc.querySelectorAll('a[data-exit]')].map((a) => ({ href: a.getAttribute('href'), text: a.textContent.trim() })),
      outside: [...doc.querySelectorAll('a[href^="http"]')].map((a) => ({ href: a.href, rel: a.rel, target: a.target })),
      forms: all('form', 'action'),
      handlers: [...doc.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((name) => /^on|^style$/.test(name)),
      inline: [...doc.querySelectorAll('style, script:not([src], [type="application/ld+json"])')].map((e) => e.outerHTML.slice(0, 80)),
      text: doc.body.textContent,
    };
  }, [html, base]);
}
