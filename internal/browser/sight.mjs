/**
 * What can be seen, heard and measured on a page: the helpers that several test
 * files share.
 */

/** The two articles that stand from the start. */
export const articles = ['/articles/what-a-trauma-bond-is', '/articles/the-pull-of-not-knowing'];

/** The main control, "Leave this site". */
export function exitOf(page) {
  return page.locator('a[data-exit]');
}

/**
 * Presses the main control with a real pointer, without waiting for where it leads:
 * the target may hang.
 */
export async function tapExit(page) {
  const box = await exitOf(page).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** The text that is rendered, whitespace folded. */
export async function seen(page) {
  return page.evaluate(() => document.documentElement.innerText.replaceAll(/\s+/g, ' ').trim());
}

/** The text that assistive technology is given, names of links and controls included. */
export async function heard(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes.filter((node) => !node.ignored && node.role.value !== 'RootWebArea' && node.role.value !== 'InlineTextBox')
    .map((node) => node.name?.value ?? '').filter(Boolean).join(' ');
}

/**
 * A picture of the viewport as pixels, decoded by the browser itself.
 * @returns {Promise<{width: number, height: number, light: number, dark: number, corners: string[]}>}
 *   light, dark: share of pixels brighter than 0.7 and darker than 0.3; corners: their colours
 */
export async function pixels(page) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png' });
  await session.detach();
  const desk = await page.context().browser().newPage();
  try {
    return await desk.evaluate(measure, data);
  } finally {
    await desk.close();
  }
}

async function measure(base64) {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const { width, height } = image;
  const pen = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  let light = 0;
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) {
    const brightness = (0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2]) / 255;
    if (brightness > 0.7) light += 1;
    if (brightness < 0.3) dark += 1;
  }
  const colour = (x, y) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)].join(',');
  const corners = [colour(1, 1), colour(width - 2, 1), colour(1, height - 2), colour(width - 2, height - 2)];
  return { width, height, corners, light: light / (width * height), dark: dark / (width * height) };
}

/**
 * The contrast of the text of each element that matches, against the first
 * background that is painted behind it (WCAG 2.2, 1.4.3).
 * @returns {Promise<{text: string, ratio: number}[]>}
 */
export async function contrasts(page, selector) {
  return page.locator(selector).evaluateAll((elements) => {
    const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
    const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const ground = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if (colour.length === 3 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    return elements.map((element) => {
      const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return { text: element.textContent.trim().slice(0, 60), ratio };
    });
  });
}

/** Lets the page do what it has queued, also under a fake clock. */
export async function settle(page) {
  const session = await page.context().newCDPSession(page);
  for (let turn = 0; turn < 3; turn += 1) await session.send('Runtime.evaluate', { expression: 'Promise.resolve()', awaitPromise: true });
  await session.detach();
}
