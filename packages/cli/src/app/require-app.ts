import { CommandError } from '@toolwright/operate/terminal';

/**
 * The classes of a project have no operations of one tenant, and a caller of a running server has a token that says it.
 *
 * @throws {CommandError} for a tenant without an app
 */
export function requireApp({ app, tenant }: { app?: string | undefined; tenant?: string | undefined }): void {
  if (tenant !== undefined && app === undefined)
    throw new CommandError('--tenant is for the server of an app: add --app dist/main.js.');
}
