import type { Locator, Page } from 'playwright-core';
import { pictureScale } from './pictures.js';

interface Frame {
  /** What the picture says, in chunks of a WebP file. */
  readonly chunks: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly ms: number;
}

const { deviceScaleFactor: scale } = pictureScale;

/**
 * A film of a page as an animated WebP. Browsers show it as a picture, also where a page may not contain a player. It plays once,
 * because what moves for longer than five seconds must have an end (WCAG 2.2.2). Each frame has only what has changed.
 *
 * https://developers.google.com/speed/webp/docs/riff_container
 */
export class Film {
  readonly #frames: Frame[] = [];

  constructor(private readonly page: Page) {}

  /**
   * Shows the page as it is now for some milliseconds.
   *
   * @param changed what has changed; default: all of it, as the first frame must have it
   */
  async take(ms: number, changed?: Locator): Promise<void> {
    const all = { x: 0, y: 0, ...this.page.viewportSize()! };
    const box = (await changed?.boundingBox()) ?? all;
    const [x, y] = [Math.floor(box.x), Math.floor(box.y)];
    const [width, height] = [Math.ceil(box.x + box.width) - x, Math.ceil(box.y + box.height) - y];
    const session = await this.page.context().newCDPSession(this.page);
    const clip = { x, y, width, height, scale };
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip });
    await session.detach();
    // Behind "RIFF", the size and "WEBP".
    const chunks = picturesIn(Buffer.from(data, 'base64').subarray(12));
    const [px, py, w, h] = [x, y, width, height].map((each) => each * scale) as [
      number,
      number,
      number,
      number,
    ];
    this.#frames.push({ chunks, x: px, y: py, width: w, height: h, ms });
  }

  get seconds(): number {
    return this.#frames.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  }

  /** The file. */
  bytes(): Buffer {
    const { width, height } = this.#frames[0]!;
    const body = Buffer.concat([
      Buffer.from('WEBP'),
      // The flag says that it moves.
      chunk('VP8X', Buffer.concat([Buffer.from([0x02, 0, 0, 0]), number24(width - 1), number24(height - 1)])),
      // The ground, and that it plays once.
      chunk('ANIM', Buffer.from([0, 0, 0, 0, 1, 0])),
      ...this.#frames.map(({ chunks, x, y, width, height, ms }) =>
        chunk(
          'ANMF',
          Buffer.concat([
            ...[x / 2, y / 2, width - 1, height - 1, ms].map(number24),
            // It stands in the place of what was there, and stays.
            Buffer.from([0x02]),
            chunks,
          ]),
        ),
      ),
    ]);
    return chunk('RIFF', body);
  }
}

/** The chunks of a still picture that have its points. */
function picturesIn(file: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const size = file.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    if (['VP8 ', 'VP8L', 'ALPH'].includes(file.toString('latin1', at, at + 4)))
      found.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(found);
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function number24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
