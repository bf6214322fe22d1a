import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Pictures of the README, the guides and the site are here. UPDATE_PICTURES=1 makes tests that open their subjects take them again. */
export const pictures = join(__dirname, '../../../docs/images');

/** Of a context that takes pictures: two pixels for one, as the screens of most readers have them. */
export const pictureScale = { deviceScaleFactor: 2 };

/** How many pixels wide a WebP file is. */
export function widthOf(file: Buffer): number {
  const isPlain = file.toString('latin1', 12, 16) === 'VP8 ';
  return isPlain ? file.readUInt16LE(26) & 0x3fff : file.readUIntLE(24, 3) + 1;
}

/**
 * Takes a picture in light and in dark colours: `name.webp` and `name-dark.webp`.
 *
 * @param target the part of the page; without it, what the window shows
 */
export async function takePicture(page: Page, name: string, target?: Locator): Promise<void> {
  if (process.env['UPDATE_PICTURES'] !== '1') return;
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
    const { x, y, width, height } = (await target?.boundingBox()) ?? { x: 0, y: 0, ...page.viewportSize()! };
    // The scale of the context is not that of a picture: without this one, the picture has one pixel for one.
    const clip = { x, y, width, height, scale: pictureScale.deviceScaleFactor };
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip });
    const file = `${name}${colorScheme === 'dark' ? '-dark' : ''}.webp`;
    writeFileSync(join(pictures, file), Buffer.from(data, 'base64'));
  }
  await session.detach();
}
