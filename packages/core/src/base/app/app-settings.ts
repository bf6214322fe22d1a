import type { ClientDescription } from '../request-context.js';
import type { OptionSchema } from '../options/option-schema.js';
import { anyObject, anything, text } from '../options/rules.js';

/** The extension MCP Apps, in capabilities of both sides. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** What a page is served as; the only type that the extension knows so far. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** The capabilities of the browser that a page may ask for. */
export const appPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** The lists of origins that make a page's Content Security Policy. */
export const cspLists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** Origins such as `https://api.example.com` or `https://*.example.com`. What is not listed, the host blocks. */
export type AppCsp = Partial<Record<(typeof cspLists)[number], readonly string[]>>;

/** How a host shows a page: `_meta.ui` of its resource. */
export interface AppSettings {
  /** Where the page may connect to, load from and navigate its frames to. Default: nowhere. */
  csp?: AppCsp;
  /** What the page would like to use; hosts may refuse. @example { geolocation: {} } */
  permissions?: Partial<Record<AppPermission, object>>;
  /** An origin of the page's own, in the form that the host documents. */
  domain?: string;
  /** Whether the host draws a border and a background. Default: as the host likes. */
  prefersBorder?: boolean;
}

/** Who may call a tool: the model, or pages of the same server. */
export type ToolAudience = 'model' | 'app';

/** A tool's `_meta.ui`: the page that shows its results, and who may call it. */
export interface ToolUi {
  /** The `uri` of an app. */
  resourceUri?: string;
  /** Default: both. Held to by hosts; a client that does not know MCP Apps shows the model every tool. */
  visibility?: readonly ToolAudience[];
}

/** How well the values fit a host is for `checkOperation` to say. */
export const appSettingsOptions = {
  csp: anyObject,
  permissions: anyObject,
  domain: anything,
  prefersBorder: anything,
} satisfies OptionSchema<AppSettings>;

export const toolUiOptions = {
  resourceUri: text,
  visibility: anything,
} satisfies OptionSchema<ToolUi>;

/** True when the client says that it shows apps. */
export function showsApps({ capabilities }: ClientDescription): boolean {
  const { extensions } = capabilities as { extensions?: Record<string, { mimeTypes?: unknown } | null> };
  const mimeTypes = extensions?.[UI_EXTENSION]?.mimeTypes;
  return Array.isArray(mimeTypes) && mimeTypes.includes(APP_MIME_TYPE);
}
