import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'media');

/** The files of the lesson. `media/README.md` says where they come from. */
export type MediaFile = 'standing-wave.png' | 'standing-wave.webm' | 'third-harmonic.wav' | 'work-sheet.md';

/** Reads a file of the lesson. */
export function readMedia(file: MediaFile): Promise<Buffer> {
  return readFile(join(folder, file));
}
