import { unless } from '../requirement.js';
import { transportFaults } from './transport-faults.js';
import { isOneVersion, isText, listOf, type Json } from './values.js';

const PUBLISHER_META = 'io.modelcontextprotocol.registry/publisher-provided';
const LONGEST_META = 4096;
const IMAGE_HOSTS =
  /^(docker\.io|ghcr\.io|quay\.io|mcr\.microsoft\.com|[\w.-]+\.pkg\.dev|[\w.-]+\.azurecr\.io)\//;
const REGISTRY_OF_NPM = /^https:\/\/registry\.npmjs\.org$/;
/** The packages of these types have a version of their own; an image and a bundle have it in their identifier. */
const VERSIONED = ['npm', 'pypi', 'nuget', 'cargo', 'go', 'maven'];

/** What the schema says about packages. */
export function packageFaults({ packages }: Json): string[] {
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
      ...transportFaults(one),
      ...argumentFaults(one, name),
    ];
  });
}

function argumentFaults(one: Json, name: string): string[] {
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
export function placeFaults({ packages }: Json): string[] {
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

/** What says which file or image is meant. */
export function identityFaults({ packages }: Json): string[] {
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

export function metaSizeFaults(serverJson: Json): string[] {
  const own = metaOf(serverJson).find(([key]) => key === PUBLISHER_META);
  const bytes = own ? Buffer.byteLength(JSON.stringify(own[1])) : 0;
  return unless(
    bytes <= LONGEST_META,
    `${PUBLISHER_META} in _meta has ${bytes} bytes, and the registry takes ${LONGEST_META}.`,
  );
}

export function lostMetaFaults(serverJson: Json): string[] {
  return metaOf(serverJson)
    .filter(([key]) => key !== PUBLISHER_META)
    .map(([key]) => `${key} in _meta is not kept: the registry keeps ${PUBLISHER_META} only.`);
}
