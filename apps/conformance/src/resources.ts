import { McpResource, McpResourceTemplate, McpService } from '@toolwright/core';
import { PNG } from './samples.js';

/** The suite's resources. */
@McpService()
export class Resources {
  /** A text that never changes. */
  @McpResource({ uri: 'test://static-text', name: 'Static text', mimeType: 'text/plain' })
  staticText(): string {
    return 'This is the content of the static text resource.';
  }

  /** An image that never changes. */
  @McpResource({ uri: 'test://static-binary', name: 'Static image', mimeType: 'image/png' })
  staticBinary(): Buffer {
    return Buffer.from(PNG, 'base64');
  }

  /** A resource to subscribe to. */
  @McpResource({ uri: 'test://watched-resource', name: 'Watched text', mimeType: 'text/plain' })
  watched(): string {
    return 'This resource can be watched.';
  }

  /** The resource that a prompt embeds. */
  @McpResource({ uri: 'test://example-resource', name: 'Example text', mimeType: 'text/plain' })
  example(): string {
    return 'Embedded resource content for testing.';
  }

  /**
   * Data by id.
   * @param id any id
   */
  @McpResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    mimeType: 'application/json',
  })
  data(id: string): { id: string; templateTest: boolean; data: string } {
    return { id, templateTest: true, data: `Data for ID: ${id}` };
  }
}
