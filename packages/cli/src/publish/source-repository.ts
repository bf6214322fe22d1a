/** Where the sources of a package are. */
export interface SourceRepository {
  url: string;
  source: 'github' | 'gitlab';
  owner: string;
  name: string;
  subfolder?: string;
}

const ADDRESS =
  /^(?:git\+)?(?:https?:\/\/|ssh:\/\/git@|git:\/\/|git@)(github|gitlab)\.com[/:](.+?)(?:\.git)?\/?$/;
const SHORT = /^(?:(github|gitlab):)?([\w.-]+\/[\w./-]+)$/;

/** Reads `repository` of a package.json, in each of the forms that npm takes. Undefined for other forges. */
export function sourceRepository(repository: unknown): SourceRepository | undefined {
  const { url, directory } = (
    typeof repository === 'object' && repository !== null ? repository : { url: repository }
  ) as { url?: unknown; directory?: unknown };
  const [, source = 'github', path] = ADDRESS.exec(String(url)) ?? SHORT.exec(String(url)) ?? [];
  const names = path?.split('/') ?? [];
  if (names.length < 2) return undefined;
  return {
    url: `https://${source}.com/${path}`,
    source: source as SourceRepository['source'],
    owner: names.slice(0, -1).join('/'),
    name: names.at(-1)!,
    ...(typeof directory === 'string' && { subfolder: directory.replace(/^\.\//, '') }),
  };
}
