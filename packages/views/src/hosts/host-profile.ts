/** A part of a Content Security Policy. */
export type Directive =
  | 'script-src'
  | 'style-src'
  | 'img-src'
  | 'media-src'
  | 'font-src'
  | 'connect-src'
  | 'frame-src'
  | 'base-uri';

/** One of the lists of origins that a page declares. */
export type OriginList = 'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains';

/** Where a host finds the settings of a page. */
export type SettingsPlace = 'content' | 'result' | 'list';

/** What is known of one host: its documents, and what people have reported. It is a description, not the host. */
export interface HostProfile {
  readonly id: string;
  /** As it is shown to people. It says that this is no more than an emulation. */
  readonly title: string;
  /** The keys of a tool's `_meta` that name its page. The first that is there counts. */
  readonly links: readonly (readonly string[])[];
  readonly mimeTypes: readonly string[];
  /** Where the policy is declared, in the order in which the host looks. */
  readonly policyAt: readonly { readonly place: SettingsPlace; readonly dialect: 'official' | 'openai' }[];
  /** The only form of a domain with which the host shows a page. Default: any. */
  readonly domain?: RegExp;
  /** The lists that the host takes from a declaration. */
  readonly takes: readonly OriginList[];
  /** What the policy allows to each page. */
  readonly allows: Readonly<Partial<Record<Directive, readonly string[]>>>;
  readonly sandbox: string;
  /** When the page becomes visible. */
  readonly shows: 'at once' | 'when initialized';
  /** Members of the result that the page does not get. */
  readonly keepsBack: readonly ('structuredContent' | '_meta')[];
  /** The height of the frame. */
  readonly height: 'as told' | 'as drawn';
  readonly maxHeight: number;
  readonly displayModes: readonly ('inline' | 'fullscreen' | 'pip')[];
  /** True for a host with `window.openai`. */
  readonly hasOpenAi: boolean;
  /** The standard style variables that the page gets. */
  readonly variables: Readonly<Record<'light' | 'dark', Readonly<Record<string, string>>>>;
  /** Widths of the frame, in CSS pixels. */
  readonly widths: readonly [number, number, number];
}
