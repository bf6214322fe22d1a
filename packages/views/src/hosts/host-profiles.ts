import type { HostProfile, OriginList } from './host-profile.js';

const APP = 'text/html;profile=mcp-app';
const link = (...path: string[]) => path;
const officialPolicy = [
  { place: 'content', dialect: 'official' },
  { place: 'list', dialect: 'official' },
] as const;
const official = [link('ui', 'resourceUri'), link('ui/resourceUri')];
const allLists: readonly OriginList[] = [
  'connectDomains',
  'resourceDomains',
  'frameDomains',
  'baseUriDomains',
];
const inline = { 'script-src': ["'unsafe-inline'"], 'style-src': ["'unsafe-inline'"] } as const;
const data = { 'img-src': ['data:'], 'media-src': ['data:'] } as const;

/** The names that the extension gives to colours, with the values of one theme. */
const colours = (background: string, second: string, text: string, quiet: string, border: string) => ({
  '--color-background-primary': background,
  '--color-background-secondary': second,
  '--color-text-primary': text,
  '--color-text-secondary': quiet,
  '--color-border-primary': border,
});

/**
 * The hosts that can be emulated. Each line comes from a document of the host or from a public report, which
 * docs/views-in-hosts.md names. Where nothing is documented, the strictest of the four counts. The widths are our own
 * choice: a telephone, a column beside an editor, and a wide window.
 */
export const hostProfiles: readonly HostProfile[] = [
  {
    id: 'claude',
    title: 'emulation of Claude',
    links: official,
    mimeTypes: [APP],
    policyAt: officialPolicy,
    // It mounts no page with a domain of another form, and every page without one (ext-apps#735, claude-ai-mcp#165).
    domain: /^[0-9a-f]{16,32}\.claudemcpcontent\.com$/,
    // It drops `frameDomains` (claude-ai-mcp#40 and #54).
    takes: ['connectDomains', 'resourceDomains'],
    allows: {
      ...inline,
      'script-src': ["'unsafe-inline'", "'unsafe-eval'", 'blob:', 'data:'],
      'img-src': ['data:', 'blob:'],
      'media-src': ['data:', 'blob:'],
      'font-src': ['data:'],
    },
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    // The frame stays hidden until the page has initialized (claude-ai-mcp#61).
    shows: 'when initialized',
    // Some of its releases leave the structured content out (ext-apps#696).
    keepsBack: ['structuredContent'],
    // It measures the document by itself (claude-ai-mcp#69).
    height: 'as drawn',
    maxHeight: 800,
    displayModes: ['inline', 'fullscreen'],
    hasOpenAi: false,
    variables: {
      light: colours('#faf9f5', '#f0eee6', '#141413', '#5e5d59', '#d1cfc5'),
      dark: colours('#262624', '#30302e', '#faf9f5', '#b0aea5', '#4d4c48'),
    },
    widths: [320, 480, 720],
  },
  {
    id: 'chatgpt',
    title: 'emulation of ChatGPT',
    links: [...official, link('openai/outputTemplate')],
    mimeTypes: [APP, 'text/html+skybridge'],
    // It finds the page by the official link, and makes the policy of its own key (skybridge#891).
    policyAt: [
      { place: 'content', dialect: 'openai' },
      { place: 'list', dialect: 'openai' },
    ],
    takes: ['connectDomains', 'resourceDomains', 'frameDomains'],
    allows: { ...inline, ...data },
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    shows: 'at once',
    keepsBack: [],
    height: 'as told',
    maxHeight: 600,
    displayModes: ['inline', 'fullscreen', 'pip'],
    hasOpenAi: true,
    // It gives a theme, and no variables.
    variables: { light: {}, dark: {} },
    widths: [320, 480, 720],
  },
  {
    id: 'vscode',
    title: 'emulation of VS Code',
    links: official,
    mimeTypes: [APP],
    // It has looked beside the contents (ext-apps#242).
    policyAt: [{ place: 'result', dialect: 'official' }],
    takes: ['connectDomains', 'resourceDomains'],
    allows: { ...inline, ...data },
    sandbox: 'allow-scripts allow-forms',
    shows: 'at once',
    keepsBack: [],
    height: 'as told',
    maxHeight: 600,
    displayModes: ['inline'],
    hasOpenAi: false,
    variables: {
      light: colours('#ffffff', '#f8f8f8', '#3b3b3b', '#616161', '#e5e5e5'),
      dark: colours('#1f1f1f', '#181818', '#cccccc', '#9d9d9d', '#2b2b2b'),
    },
    widths: [300, 420, 640],
  },
  {
    id: 'basic-host',
    title: 'emulation of basic-host',
    links: official,
    mimeTypes: [APP],
    policyAt: officialPolicy,
    takes: allLists,
    allows: { ...inline, ...data },
    sandbox: 'allow-scripts allow-same-origin allow-forms',
    shows: 'at once',
    // It passes no `_meta` on (ext-apps#646).
    keepsBack: ['_meta'],
    height: 'as told',
    maxHeight: 6_000,
    displayModes: ['inline'],
    hasOpenAi: false,
    variables: { light: {}, dark: {} },
    widths: [320, 640, 1_024],
  },
];

/** The keys of `_meta` that a host reads, one below the other. */
export function readMeta(meta: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    meta,
  );
}

/** The page that a host finds for a tool. */
export function linkedPage(profile: HostProfile, toolMeta: unknown): string | undefined {
  for (const path of profile.links) {
    const uri = readMeta(toolMeta, path);
    if (typeof uri === 'string') return uri;
  }
  return undefined;
}
