/** What the URIs of links to the rest of results begin with. No resource of a server may have it. */
export const REST_SCHEME = 'toolwright-rest:';

const form = /^toolwright-rest:\/\/\/([^/]{1,400})\/([\w-]+)$/;

/** The URI of what was left out of a result. The name of its tool is readable, so that a person sees where it comes from. */
export function restUri(tool: string, sealed: string): string {
  return `${REST_SCHEME}///${encodeURIComponent(tool)}/${sealed}`;
}

/** The tool that a URI names; `undefined` for any other URI. */
export function toolIn(uri: string): string | undefined {
  const name = form.exec(uri)?.[1];
  try {
    return name && decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

export function sealedIn(uri: string): string | undefined {
  return form.exec(uri)?.[2];
}
