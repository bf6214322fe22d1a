import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import type { ServerOptions } from '../options/server-options.js';

/** The names that platforms without files give themselves in `navigator.userAgent`. */
const WITHOUT_FILES: Readonly<Record<string, string>> = { 'Cloudflare-Workers': 'workerd' };

/** The platform that this program runs on, if it has no files that last. */
export function platformWithoutFiles(): string | undefined {
  const { navigator } = globalThis as { navigator?: { userAgent?: unknown } };
  return WITHOUT_FILES[String(navigator?.userAgent)];
}

/**
 * Finds options that need files, on a platform that has none. Each problem names what to write instead.
 * Otherwise such a server would fail later, or seem to write a log that nobody can read.
 */
export function findFileOptions(
  options: ServerOptions,
  platform = platformWithoutFiles(),
): ConfigurationProblem[] {
  if (platform === undefined) return [];
  const { audit, discover, services } = options;
  const manifests = [options.manifest ?? []].flat();
  const problem = (option: string, fix: string): ConfigurationProblem => ({
    code: 'TW_FILES_NEEDED',
    message: `The option ${option} needs files, and ${platform} has none.`,
    fix,
  });
  const problems: ConfigurationProblem[] = [];
  if (typeof audit === 'object' && audit !== null && !('write' in audit))
    problems.push(problem('audit: { file }', 'Pass an AuditSink that sends its records elsewhere.'));
  if (discover !== undefined)
    problems.push(problem('discover', 'List the classes in the option "services".'));
  if (manifests.some((manifest) => typeof manifest === 'string'))
    problems.push(problem('manifest, as a path,', IMPORT));
  if (services?.length && manifests.length === 0)
    problems.push(problem('services without a manifest', IMPORT));
  return problems;
}

const IMPORT =
  'Make the manifest a part of the program: `import manifest from \'./mcp.manifest.json\'`, and pass it as the option "manifest".';
