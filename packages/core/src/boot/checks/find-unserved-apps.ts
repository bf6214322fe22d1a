import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { APP_MIME_TYPE, type ToolUi } from '../../base/app/app-settings.js';
import { lazily } from '../../base/lazily.js';
import { locationOf, type Located } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { UriTemplate } from '../../protocol/lists/uri-template.js';
import { findAppUriFault, findTemplateFault } from './check-uri.js';

/** The parts of an operation that say which app it is, or which app it links to. */
type Offered = Pick<BoundOperation, 'kind' | 'name'> &
  Located & {
    readonly uri?: string;
    readonly uriTemplate?: string;
    readonly mimeType?: string;
    readonly ui?: object;
  };

/**
 * Reports tools that link to an app that the server does not offer. The extension requires that the app
 * exists, and a host would only find out when it wants to show the app.
 *
 * @param operations the operations to add
 * @param offered returns everything that the server will offer, including these
 */
export function findUnservedApps(
  operations: readonly Offered[],
  offered: () => readonly Offered[],
): ConfigurationProblem[] {
  // Few tools link to an app. For all others, nothing is searched: a tool costs the same to add to ten as to thousands.
  const apps = lazily(() => appsAmong(offered()));
  return operations.flatMap((operation) => {
    const { kind, name, ui } = operation;
    const wanted = kind === 'tool' ? (ui as ToolUi | undefined)?.resourceUri : undefined;
    if (wanted === undefined || findAppUriFault(wanted) || isServed(wanted, apps())) return [];
    const served = apps()
      .map(({ uri, uriTemplate }) => uri ?? uriTemplate)
      .join(', ');
    return [
      {
        code: 'TW_APP_UNKNOWN',
        message: `The tool "${name}" names the app "${wanted}", which the server does not serve. Apps: ${served || 'none'}.`,
        fix: `Decorate a method of a listed service with @McpApp({ uri: '${wanted}' }), or correct the tool's option ui.`,
        ...locationOf(operation),
      },
    ];
  });
}

export function appsAmong<O extends Offered>(offered: readonly O[]): O[] {
  return offered.filter(({ kind, mimeType }) => kind !== 'tool' && mimeType === APP_MIME_TYPE);
}

export function isServed(wanted: string, apps: readonly Offered[]): boolean {
  return apps.some((app) => serves(app, wanted));
}

function serves({ uri, uriTemplate }: Offered, wanted: string): boolean {
  if (uriTemplate === undefined) return uri === wanted;
  // A template with problems is reported elsewhere.
  return (
    !findTemplateFault(uriTemplate, undefined) && new UriTemplate(uriTemplate).match(wanted) !== undefined
  );
}
