import { usageError } from '@toolwright/operate/terminal';

/**
 * The classes of a project have no operations of one tenant, and a caller of a running server has a token that says it.
 *
 * @throws {CommandError} for a tenant without an app
 */
export function requireApp({
  app,
  tenant,
  url,
}: {
  app?: string | undefined;
  tenant?: string | undefined;
  url?: URL | undefined;
}): void {
  if (tenant === undefined || app !== undefined) return;
  throw usageError(
    url
      ? '--tenant is for the server of an app. A running server knows the tenant from the token: pass --header.'
      : '--tenant is for the server of an app: add --app dist/main.js.',
  );
}
