import { McpApp, McpResource, McpService } from '@toolwright/core';
import { readPage } from '../apps/read-page.js';
import { readMedia } from './media-file.js';

/** The URIs that results of the lesson point to. */
export const VIDEO_URI = 'lesson://standing-waves/video';
export const WORK_SHEET_URI = 'lesson://standing-waves/work-sheet';
export const PAGE_URI = 'ui://gallery/standing-wave';

/** What results point to or carry, for whoever wants to read it by itself. */
@McpService()
export class LearningMedia {
  /** A string swings in its third harmonic, for two seconds. */
  @McpResource({
    uri: VIDEO_URI,
    name: 'standing_wave_video',
    title: 'A standing wave',
    mimeType: 'video/webm',
  })
  video(): Promise<Uint8Array> {
    return readMedia('standing-wave.webm');
  }

  /** Four questions on standing waves, with answers. */
  @McpResource({
    uri: WORK_SHEET_URI,
    name: 'standing_wave_work_sheet',
    title: 'Work sheet',
    mimeType: 'text/markdown',
  })
  async workSheet(): Promise<string> {
    return (await readMedia('work-sheet.md')).toString();
  }

  /** A string whose harmonic a person chooses, to see and to hear. Loads nothing from anywhere. */
  @McpApp({ uri: PAGE_URI, name: 'standing_wave', title: 'A string to try', prefersBorder: true })
  page(): Promise<string> {
    return readPage('standing-wave');
  }
}
