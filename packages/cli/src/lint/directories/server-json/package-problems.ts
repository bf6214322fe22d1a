import { type Json, isObject, isOneVersion, isText, listOf, unless } from '../requirement.js';

const OVER_HTTP = ['streamable-http', 'sse'];
const LOCAL = /^https?:\/\/(localhost|[^/:]+\.localhost|127\.|0\.0\.0\.0|\[::1\])/i;

/** How a client talks to a package that it has started. */
function transportProblems(description: Json): string[] {
  const { identifier, transport } = description;
  const name = `the package ${String(identifier)}`;
  if (!isObject(transport)) return [`${name} must say its transport.`];
  const { type, url } = transport;
  if (type === 'stdio')
    return unless(url === undefined, `${name} has the transport stdio, so it has no url.`);
  if (!OVER_HTTP.includes(String(type)))
    return [`${name} must have a transport of the type stdio, streamable-http or sse.`];
  if (!isAddress(url)) return [`${name} must name the url where it listens.`];
  const known = ['environmentVariables', 'runtimeArguments', 'packageArguments']
    .flatMap((list) => listOf(description[list]))
    .flatMap((input) => [input['name'], input['valueHint']]);
  return missingVariables(url, known).map(
    (variable) => `${name} has {${variable}} in its url, and no variable or argument of this name.`,
  );
}

/** A remote is there for everybody who reads the registry. */
export function remoteProblems({ remotes }: Json): string[] {
  return listOf(remotes).flatMap(({ type, url, variables }) => [
    ...unless(
      OVER_HTTP.includes(String(type)),
      `the remote ${String(url)} must have the type streamable-http or sse.`,
    ),
    ...unless(
      isAddress(url) && /^(https:|\{)/.test(url) && !LOCAL.test(url),
      `the remote ${String(url)} is not an https address that everybody can reach.`,
    ),
    ...missingVariables(String(url), Object.keys(isObject(variables) ? variables : {})).map(
      (variable) => `the remote ${String(url)} has {${variable}}, and variables does not describe it.`,
    ),
  ]);
}

const isAddress = (url: unknown): url is string =>
  isText(url) && /^(https?:\/\/[^\s/]+\S*|\{[^}]+\}\S*)$/.test(url);

const missingVariables = (url: string, known: readonly unknown[]) =>
  [...url.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!).filter((name) => !known.includes(name));

const PUBLISHER_META = 'io.modelcontextprotocol.registry/publisher-provided';
const LONGEST_META = 4096;
const IMAGE_HOSTS =
  /^(docker\.io|ghcr\.io|quay\.io|mcr\.microsoft\.com|[\w.-]+\.pkg\.dev|[\w.-]+\.azurecr\.io)\//;
const REGISTRY_OF_NPM = /^https:\/\/registry\.npmjs\.org$/;
/** The packages of these types have a version of their own; an image and a bundle have it in their identifier. */
const VERSIONED = ['npm', 'pypi', 'nuget', 'cargo', 'go', 'maven'];

/** What the schema says about packages. */
export function packageProblems({ packages }: Json): string[] {
  return listOf(packages).flatMap((one) => {
    const { registryType, identifier, version } = one;
    const name = `the package ${String(identifier)}`;
    return [
      ...unless(isText(identifier), 'a package in server.json has no identifier.'),
      ...unless(!/\s/.test(String(identifier)), `${name} must have an identifier without spaces.`),
      ...unless(isText(registryType), `${name} must say its registryType, such as npm, oci or mcpb.`),
      ...unless(version === undefined || isOneVersion(version), `${name} must have one version, no range.`),
      ...unless(
        version !== undefined || !VERSIONED.includes(String(registryType)),
        `${name} must say its version.`,
      ),
      ...transportProblems(one),
      ...argumentProblems(one, name),
    ];
  });
}

function argumentProblems(one: Json, name: string): string[] {
  const given = ['runtimeArguments', 'packageArguments'].flatMap((list) => listOf(one[list]));
  return [
    ...given.flatMap((argument) =>
      argument['type'] === 'named'
        ? unless(
            isText(argument['name']) && !/[<>\s$]/.test(argument['name']),
            `${name} has an argument with the name ${String(argument['name'])}: write the flag alone, such as --port.`,
          )
        : unless(
            argument['type'] === 'positional' && (isText(argument['value']) || isText(argument['valueHint'])),
            `${name} has an argument that is neither named nor positional with a value or a valueHint.`,
          ),
    ),
    ...listOf(one['environmentVariables']).flatMap((variable) =>
      unless(isText(variable['name']), `${name} has an environment variable without a name.`),
    ),
  ];
}

/** The registry takes packages from public places only. */
export function placeProblems({ packages }: Json): string[] {
  return listOf(packages).flatMap(({ registryType, identifier, registryBaseUrl }) => {
    const name = `the package ${String(identifier)}`;
    if (registryType === 'npm')
      return unless(
        registryBaseUrl === undefined || REGISTRY_OF_NPM.test(String(registryBaseUrl)),
        `${name} must be on the public registry of npm. Leave registryBaseUrl out.`,
      );
    if (registryType === 'mcpb')
      return unless(
        /^https:\/\/(github|gitlab)\.com\//.test(String(identifier)),
        `${name} must be a file of a release on github.com or gitlab.com.`,
      );
    if (registryType !== 'oci') return [];
    return unless(
      IMAGE_HOSTS.test(String(identifier)),
      `${name} must name its registry, such as ghcr.io: Docker Hub, GitHub, Quay, Google, Azure or Microsoft.`,
    );
  });
}

/** Problems of the members that identify the image or the file of a package. */
export function identityProblems({ packages }: Json): string[] {
  return listOf(packages).flatMap(({ registryType, identifier, fileSha256 }) => {
    const name = `the package ${String(identifier)}`;
    if (registryType === 'oci')
      return unless(
        /(:[\w.-]+|@sha256:[a-f0-9]{64})$/.test(String(identifier)),
        `${name} must end with a tag or a digest.`,
      );
    if (registryType !== 'mcpb') return [];
    return [
      ...unless(/mcp/i.test(String(identifier)), `${name} must have mcp in its address.`),
      ...unless(
        /^[a-f0-9]{64}$/.test(String(fileSha256)),
        `${name} must have the SHA-256 of the file as fileSha256, 64 small hexadecimal digits.`,
      ),
    ];
  });
}

const metaOf = ({ _meta }: Json) => Object.entries((_meta ?? {}) as Json);

export function metaSizeProblems(serverJson: Json): string[] {
  const own = metaOf(serverJson).find(([key]) => key === PUBLISHER_META);
  const bytes = own ? Buffer.byteLength(JSON.stringify(own[1])) : 0;
  return unless(
    bytes <= LONGEST_META,
    `${PUBLISHER_META} in _meta has ${bytes} bytes, and the registry takes ${LONGEST_META}.`,
  );
}

export function lostMetaProblems(serverJson: Json): string[] {
  return metaOf(serverJson)
    .filter(([key]) => key !== PUBLISHER_META)
    .map(([key]) => `${key} in _meta is not kept: the registry keeps ${PUBLISHER_META} only.`);
}
