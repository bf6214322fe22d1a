/** Where a resource without a path publishes its metadata. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

const partsOf = (url: string) => {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/$/, '') };
};

/** Where a resource publishes its metadata: the path of RFC 9728 comes between the origin and the resource's own path. */
export function resourceMetadataUrl(resource: string): string {
  const { origin, path } = partsOf(resource);
  return `${origin}${RESOURCE_METADATA_PATH}${path}`;
}

/**
 * Where an issuer may publish its metadata, in the order in which MCP wants clients to try the places. RFC 8414 puts its path
 * in front of the path of the issuer; OpenID puts its own behind it.
 */
export function issuerMetadataUrls(issuer: string): string[] {
  const { origin, path } = partsOf(issuer);
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)];
}
