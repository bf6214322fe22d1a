import {
  audio,
  type ContentBlock,
  embedded,
  image,
  McpService,
  McpTool,
  resourceLink,
  text,
  ToolContext,
} from '@toolwright/core';
import { LearningMedia, PAGE_URI, VIDEO_URI, WORK_SHEET_URI } from './learning-media.js';
import { readMedia } from './media-file.js';

/** How something can be shown. */
export type Form = 'text' | 'image' | 'audio' | 'video' | 'document' | 'interactive';

const explanation =
  'A string held at both ends swings in arches. In its third harmonic there are three, and four points that rest, the ' +
  'ends included: the nodes. It swings three times as fast as the whole string: at 330 Hz where that has 110 Hz.';

/** One lesson in every form that a result can have. */
@McpService()
export class LearningTools {
  constructor(private readonly media: LearningMedia) {}

  /**
   * Show learning material on standing waves. Returns each form that was asked for: an explanation (text), a picture
   * (image), a sound (audio), a link to a film (video), a work sheet with answers (document), or a page to try it out
   * (interactive), which opens in clients with MCP Apps.
   * @param forms which forms, in the order they are wanted
   */
  @McpTool({
    name: 'show_learning_material',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: PAGE_URI,
  })
  showLearningMaterial(
    ctx: ToolContext,
    /** @minItems 1 @uniqueItems true */
    forms: Form[] = ['text', 'image', 'audio', 'video', 'document', 'interactive'],
  ): Promise<ContentBlock[]> {
    return Promise.all(forms.map((form) => this.show(form, ctx)));
  }

  private async show(form: Form, { showsApps }: ToolContext): Promise<ContentBlock> {
    switch (form) {
      case 'text':
        return text(explanation);
      case 'image':
        return image(await readMedia('standing-wave.png'), 'image/png');
      case 'audio':
        return audio(await readMedia('third-harmonic.wav'), 'audio/wav');
      case 'video':
        return linkToVideo((await this.media.video()).byteLength);
      case 'document':
        return embedded({
          uri: WORK_SHEET_URI,
          mimeType: 'text/markdown',
          text: await this.media.workSheet(),
        });
      case 'interactive':
        return text(showsApps ? 'The page shows a string whose harmonic can be chosen.' : withoutApps);
    }
  }
}

const withoutApps =
  `This client does not show interactive pages. The page is the resource ${PAGE_URI}: saved as a file, it opens in ` +
  'any browser.';

/** The protocol has no block for films: clients that can play one read it by its link. */
function linkToVideo(size: number): ContentBlock {
  return resourceLink({
    uri: VIDEO_URI,
    name: 'standing_wave_video',
    title: 'A standing wave',
    description: 'A string swings in its third harmonic, for two seconds.',
    mimeType: 'video/webm',
    size,
  });
}
