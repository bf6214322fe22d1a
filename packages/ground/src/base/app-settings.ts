import type { ClientDescription } from './request-context.js';
import type { OptionSchema } from './options/option-schema.js';
import { anyObject, anything, text } from './options/rules.js';

/** The name of the MCP Apps extension in the capabilities of client and server. */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** The media type of a page. The extension defines no other type so far. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** The browser features that a page may ask for. */
export const appPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** The lists of origins from which a page's Content Security Policy is made. */
export const cspLists = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** Origins such as `https://api.example.com` or `https://*.example.com`. The host blocks all others. */
export type AppCsp = Partial<Record<(typeof cspLists)[number], readonly string[]>>;

/** How a host shows a page. This is the `_meta.ui` of its resource. */
export interface AppSettings {
  /** The origins that the page may connect to, load from and show in frames. Default: none. */
  csp?: AppCsp;
  /** The browser features that the page would like to use; hosts may refuse. @example { geolocation: {} } */
  permissions?: Partial<Record<AppPermission, object>>;
  /**
   * An origin only for this page, in the form of one host: `https://…` for ChatGPT, a name for others. A host gets only its own
   * form.
   */
  domain?: string;
  /** Whether the host draws a border and a background. Default: the host decides. */
  prefersBorder?: boolean;
}

/** Who may call a tool: the model, or pages of the same server. */
export type ToolAudience = 'model' | 'app';

/** The `_meta.ui` of a tool: the page that shows its results, and who may call the tool. */
export interface ToolUi extends AppSettings {
  /** The `uri` of an app. */
  resourceUri?: string;
  /**
   * In place of `resourceUri`: the file of a component that shows the results, relative to the file of the class, such as
   * `'./views/chart.tsx'`. `toolwright build` makes the page of it, with the package `@toolwright/views`. The settings beside
   * it (`csp`, `permissions`, …) are those of the page.
   */
  view?: string;
  /**
   * Who may call the tool. Default: both. The host enforces it. A client that does not know MCP Apps shows
   * every tool to the model.
   */
  visibility?: readonly ToolAudience[];
  /**
   * The arguments and the properties of results that are marked sensitive and that the page may get. A tool with a page
   * and with a marked value that is missing here does not start. It is not published.
   */
  sensitive?: readonly string[];
}

/** `checkOperation` checks whether the values suit a host. */
export const appSettingsOptions = {
  csp: anyObject,
  permissions: anyObject,
  domain: anything,
  prefersBorder: anything,
} satisfies OptionSchema<AppSettings>;

export const toolUiOptions = {
  ...appSettingsOptions,
  resourceUri: text,
  view: text,
  visibility: anything,
  sensitive: anything,
} satisfies OptionSchema<ToolUi>;

/** True when the client says that it shows apps. */
export function showsApps({ capabilities }: ClientDescription): boolean {
  const { extensions } = capabilities as { extensions?: Record<string, { mimeTypes?: unknown } | null> };
  const mimeTypes = extensions?.[UI_EXTENSION]?.mimeTypes;
  return Array.isArray(mimeTypes) && mimeTypes.includes(APP_MIME_TYPE);
}

type Meta = Readonly<Record<string, unknown>>;

/**
 * The metadata of a page in both dialects. ChatGPT makes its policy of `openai/widgetCSP`, also where it found the page by
 * the official link, so the two must name the same origins. A domain is only in one of them: Claude does not show a page at all
 * that names the domain of another host (ext-apps#735, claude-ai-mcp#165).
 */
export function pageMeta(ui: AppSettings): Meta {
  const { csp = {}, domain, prefersBorder } = ui;
  const { domain: _, ...withoutDomain } = ui;
  const isForOpenAi = domain !== undefined && /^https?:\/\//.test(domain);
  const { connectDomains = [], resourceDomains = [], frameDomains } = csp;
  return {
    ui: isForOpenAi ? withoutDomain : ui,
    'openai/widgetCSP': {
      connect_domains: connectDomains,
      resource_domains: resourceDomains,
      ...(frameDomains && { frame_domains: frameDomains }),
    },
    ...(isForOpenAi && { 'openai/widgetDomain': domain }),
    ...(prefersBorder !== undefined && { 'openai/widgetPrefersBorder': prefersBorder }),
  };
}

/**
 * The metadata of a tool in both dialects. Hosts from before the extension was stable look for the flat key
 * `ui/resourceUri`. It can be removed when no such host is left.
 */
export function toolUiMeta({ sensitive: _, ...ui }: ToolUi): Meta {
  const { resourceUri, visibility = ['model', 'app'] } = ui;
  return {
    ui,
    ...(resourceUri !== undefined && { 'ui/resourceUri': resourceUri, 'openai/outputTemplate': resourceUri }),
    ...(visibility.includes('app') && { 'openai/widgetAccessible': true }),
    ...(!visibility.includes('model') && { 'openai/visibility': 'private' }),
  };
}
