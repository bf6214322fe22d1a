import type { McpAppOptions } from '../../decorators/mcp-app.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import { APP_MIME_TYPE, type AppSettings } from '../../base/app/app-settings.js';
import type { ResourceDraft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { draftResource } from '../kinds/resource.js';

/** Makes the resource whose content is the page that a decorated method returns. */
export function draftApp(source: BoundMethod, record: DecoratorRecord<McpAppOptions>): ResourceDraft {
  return { ...draftResource(source, record), mimeType: APP_MIME_TYPE, ui: settingsOf(record.options) };
}

/** The options of `@McpApp` that tell hosts how to show the page. */
export function settingsOf({ csp, permissions, domain, prefersBorder }: AppSettings): AppSettings {
  return {
    ...(csp && { csp }),
    ...(permissions && { permissions }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
}
