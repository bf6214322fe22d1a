import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { APP_MIME_TYPE, type ToolUi } from '../../base/app/app-settings.js';
import { locationOf, type Located } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import { UriTemplate } from '../../protocol/lists/uri-template.js';
import { findAppUriFault, findTemplateFault } from './check-uri.js';

/** As much of an operation as says which app it is or wants. */
type Offered = Pick<BoundOperation, 'kind' | 'name'> &
  Located & {
    readonly uri?: string;
    readonly uriTemplate?: string;
    readonly mimeType?: string;
    readonly ui?: object;
  };

/**
 * Reports tools that name an app which is not among what the server offers: the extension asks that it exists, and a
 * host would find out only when it is about to show it.
 *
 * @param operations those that are to be added
 * @param offered everything there will be, them included
 */
export function findUnservedApps(
  operations: readonly Offered[],
  offered: readonly Offered[],
): ConfigurationProblem[] {
  const apps = appsAmong(offered);
  return operations.flatMap((operation) => {
    const { kind, name, ui } = operation;
    const wanted = kind === 'tool' ? (ui as ToolUi | undefined)?.resourceUri : undefined;
    if (wanted === undefined || findAppUriFault(wanted) || isServed(wanted, apps)) return [];
    const served = apps.map(({ uri, uriTemplate }) => uri ?? uriTemplate).join(', ');
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
  // A template that cannot be used is reported as such.
  return (
    !findTemplateFault(uriTemplate, undefined) && new UriTemplate(uriTemplate).match(wanted) !== undefined
  );
}
