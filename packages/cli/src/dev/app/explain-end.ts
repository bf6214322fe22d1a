import { explainMissingEnding } from '../../app/missing-ending.js';

/** An app that has ended before it could be reached. */
interface EndedApp {
  /** The error that nobody caught, or what it wrote last; undefined if it has ended without an error. */
  readonly failure: string | undefined;
  /** The name of the server that it made. */
  readonly server: string | undefined;
  /** The compiled file that starts it, as it is shown. */
  readonly entry: string;
  /** The names that "paths" of the tsconfig has. */
  readonly aliases: readonly string[];
}

/** What dev says to a person beside what the app has printed; undefined if that says everything. */
export function explainEnd({ failure, server, entry, aliases }: EndedApp, cwd: string): string | undefined {
  if (failure === undefined)
    return server === undefined
      ? `${entry} has ended, and made no server. Name the file that starts the app: toolwright dev src/main.ts`
      : `${entry} has ended: it made the server "${server}", and nothing serves it. Write await serveHttp(server), or await serveStdio(server).`;
  const name = unresolvedAlias(failure, aliases);
  if (name === undefined) return explainMissingEnding(failure, cwd);
  return `Only the compiler reads "paths" of the tsconfig: Node.js does not find ${name}. Write it under "imports" of package.json, beginning with # ("#lib/*": "./dist/lib/*.js"), or import the file by its path.`;
}

/** The name of "paths" that Node.js has not found. */
function unresolvedAlias(failure: string, aliases: readonly string[]): string | undefined {
  const [, name] = /Cannot find (?:module|package) '([^']+)'/.exec(failure) ?? [];
  // The rest of a name is behind `*`, and an error about a package names its first part alone.
  return aliases.some((alias) => name && `${name}/`.startsWith(`${alias.split('/*')[0]}/`))
    ? name
    : undefined;
}
