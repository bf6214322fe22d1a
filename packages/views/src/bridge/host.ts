import type { Frame } from './frame.js';
import type { MessageParams } from './rpc.js';

export type Theme = 'light' | 'dark';
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** The program around the view, as far as it has described itself. */
export interface ViewHost {
  /** The name of the program. */
  readonly name?: string;
  readonly theme: Theme;
  /** A BCP 47 tag such as `de-CH`. */
  readonly locale: string;
  readonly timeZone?: string;
  readonly displayMode: DisplayMode;
  readonly displayModes: readonly DisplayMode[];
  /** The space for the view in CSS pixels. A missing side has no limit. */
  readonly size: Readonly<Partial<Record<'width' | 'height' | 'maxWidth' | 'maxHeight', number>>>;
  readonly platform?: 'web' | 'desktop' | 'mobile';
  /** The space at the edges that the host covers, in CSS pixels. */
  readonly insets?: Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;
  /** The tool whose result the view shows. */
  readonly tool?: string;
  /** What the host can do: `openLinks`, `serverTools`, `message` and others. */
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** The host before it has said anything. */
export const unknownHost: ViewHost = {
  theme: 'light',
  locale: 'en',
  displayMode: 'inline',
  displayModes: ['inline'],
  size: {},
  capabilities: {},
};

/** Adds what the host says now, and leaves the rest as it was. */
export function withContext(host: ViewHost, context: MessageParams): ViewHost {
  const { theme, locale, timeZone, displayMode, availableDisplayModes, containerDimensions, platform } =
    context;
  const { safeAreaInsets, toolInfo } = context;
  const tool = (toolInfo as { tool?: { name?: string } } | undefined)?.tool?.name;
  return {
    ...host,
    ...defined({ theme, locale, timeZone, displayMode, platform, tool }),
    ...defined({ displayModes: availableDisplayModes, size: containerDimensions, insets: safeAreaInsets }),
  };
}

function defined(values: MessageParams): MessageParams {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

interface Styles {
  readonly variables?: Record<string, string | undefined>;
  readonly css?: { readonly fonts?: string };
}

/** Gives the page the look of the host: its theme, its language, its colours and its fonts. */
export function wearContext({ document }: Frame, context: MessageParams): void {
  const { documentElement: root, head } = document;
  const { theme, locale, styles, safeAreaInsets } = context;
  if (theme) root.dataset['theme'] = root.style.colorScheme = theme as string;
  if (locale) root.lang = locale as string;
  const { variables, css } = (styles ?? {}) as Styles;
  for (const [name, value] of Object.entries(variables ?? {}))
    if (value !== undefined && name.startsWith('--')) root.style.setProperty(name, value);
  for (const [side, pixels] of Object.entries((safeAreaInsets ?? {}) as Record<string, number>))
    root.style.setProperty(`--inset-${side}`, `${pixels}px`);
  if (css?.fonts) {
    const style = document.createElement('style');
    style.textContent = css.fonts;
    head.append(style);
  }
}
