import { audio, embedded, image, McpService, McpTool, text } from '@toolwright/core';
import { PNG, WAV } from '../samples.js';

/** Tools that return content of each kind. */
@McpService()
export class ContentTools {
  /** Returns a simple text. */
  @McpTool({ name: 'test_simple_text', annotations: { readOnlyHint: true, openWorldHint: false } })
  simpleText() {
    return text('This is a simple text response for testing.');
  }

  /** Returns an image. */
  @McpTool({ name: 'test_image_content', annotations: { readOnlyHint: true, openWorldHint: false } })
  imageContent() {
    return image(PNG, 'image/png');
  }

  /** Returns a sound. */
  @McpTool({ name: 'test_audio_content', annotations: { readOnlyHint: true, openWorldHint: false } })
  audioContent() {
    return audio(WAV, 'audio/wav');
  }

  /** Returns an embedded resource. */
  @McpTool({ name: 'test_embedded_resource', annotations: { readOnlyHint: true, openWorldHint: false } })
  embeddedResource() {
    return embedded({
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    });
  }

  /** Returns a text, an image and an embedded resource. */
  @McpTool({ name: 'test_multiple_content_types', annotations: { readOnlyHint: true, openWorldHint: false } })
  multipleContentTypes() {
    return [
      text('Multiple content types test:'),
      image(PNG, 'image/png'),
      embedded({
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: JSON.stringify({ test: 'data', value: 123 }),
      }),
    ];
  }
}
