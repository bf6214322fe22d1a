import { actions, mcpPublisher } from './pins.js';

/** The commands of a package manager that the job needs. */
export interface ManagerCommands {
  install: string;
  build: string;
  test: string;
  pack: string;
}

export const managers: Record<string, ManagerCommands> = {
  npm: {
    install: 'npm ci',
    build: 'npm run build --if-present',
    test: 'npm test --if-present',
    pack: 'npm pack --pack-destination release',
  },
  pnpm: {
    install: 'corepack enable && pnpm install --frozen-lockfile',
    build: 'pnpm run --if-present build',
    test: 'pnpm run --if-present test',
    pack: 'pnpm pack --pack-destination release',
  },
};

const step = (...lines: string[]) =>
  lines.map((line, index) => `${index === 0 ? '      - ' : '        '}${line}`);

const checkout = step(`uses: ${actions.checkout}`, 'with:', '  persist-credentials: false');
const setupNode = step(
  `uses: ${actions.setupNode}`,
  'with:',
  '  node-version: 24',
  '  package-manager-cache: false # another workflow could have written the cache',
);
const download = step(`uses: ${actions.download}`, 'with:', '  name: release', '  path: release');

function job(
  name: string,
  needs: readonly string[],
  permissions: readonly string[],
  rest: readonly string[],
): string[] {
  return [
    `  ${name}:`,
    ...(needs.length > 0 ? [`    needs: [${needs.join(', ')}]`] : []),
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 20',
    ...(permissions.length > 0
      ? ['    permissions:', ...permissions.map((one) => `      ${one}`)]
      : ['    permissions: {}']),
    ...rest,
  ];
}

export interface BuildParts {
  manager: ManagerCommands;
  /** The folder of the project in its repository; empty for the root. */
  folder: string;
  npm: boolean;
  bundle: boolean;
}

/** Runs the code of the project and of its dependencies, and so has no right to publish anything. */
export function buildJob({
  manager: { install, build, test, pack },
  folder,
  npm,
  bundle,
}: BuildParts): string[] {
  return job(
    'build',
    [],
    ['contents: read'],
    [
      ...(folder === '' ? [] : ['    defaults:', '      run:', `        working-directory: ${folder}`]),
      '    steps:',
      ...checkout,
      ...setupNode,
      ...step(
        'name: the tag is the version',
        `run: test "$GITHUB_REF_NAME" = "v$(node -p "require('./package.json').version")"`,
      ),
      ...[install, build, test].flatMap((command) => step(`run: ${command}`)),
      ...step('run: npx toolwright publish registry --check'),
      ...step('run: mkdir release'),
      ...(bundle ? step('run: npx toolwright publish bundle --yes --out release') : []),
      ...(npm ? step(`run: ${pack}`) : []),
      ...step('run: cp server.json release/'),
      ...step(
        `uses: ${actions.upload}`,
        'with:',
        '  name: release',
        `  path: ${folder === '' ? '' : `${folder}/`}release`,
        '  if-no-files-found: error',
      ),
    ],
  );
}

export function npmJob(): string[] {
  return job(
    'npm',
    ['build'],
    ['id-token: write # npm trusts this workflow, so no token is stored'],
    [
      '    environment: publish',
      '    steps:',
      ...setupNode,
      ...download,
      ...step('run: npm publish ./release/*.tgz --access public --provenance --ignore-scripts'),
    ],
  );
}

export function releaseJob(): string[] {
  return job(
    'release',
    ['build'],
    ['contents: write # the release with the bundle'],
    [
      '    steps:',
      ...download,
      ...step(
        'run: gh release create "$GITHUB_REF_NAME" release/*.mcpb --verify-tag --generate-notes',
        'env:',
        '  GH_TOKEN: ${{ github.token }}',
        '  GH_REPO: ${{ github.repository }}',
      ),
    ],
  );
}

/** @param image without its tag */
export function imageJob(image: string, folder: string): string[] {
  return job(
    'image',
    ['build'],
    ['contents: read', 'packages: write # the image'],
    [
      '    steps:',
      ...checkout,
      ...step(
        'name: name the image as server.json does',
        'id: image',
        `run: echo "name=${image}:\${GITHUB_REF_NAME#v}" >> "$GITHUB_OUTPUT"`,
      ),
      ...step(`uses: ${actions.setupBuildx}`),
      ...step(
        `uses: ${actions.login}`,
        'with:',
        '  registry: ghcr.io',
        '  username: ${{ github.actor }}',
        '  password: ${{ github.token }}',
      ),
      ...step(
        `uses: ${actions.buildImage}`,
        'with:',
        `  context: ${folder === '' ? '.' : folder}`,
        '  push: true',
        '  tags: ${{ steps.image.outputs.name }}',
        '  platforms: linux/amd64',
        '  provenance: mode=max',
        '  sbom: true',
      ),
    ],
  );
}

/** @param domain whose key proves the name space; undefined for that of a GitHub account */
export function registryJob(needs: readonly string[], domain: string | undefined): string[] {
  const login =
    domain === undefined
      ? step('run: ./mcp-publisher login github-oidc')
      : step(
          `run: ./mcp-publisher login dns --domain ${domain} --private-key "$MCP_PRIVATE_KEY"`,
          'env:',
          '  MCP_PRIVATE_KEY: ${{ secrets.MCP_PRIVATE_KEY }} # a secret of the environment "publish"',
        );
  const permissions = domain === undefined ? ['id-token: write # proves who runs the workflow'] : [];
  return job('registry', needs, permissions, [
    '    environment: publish',
    '    env:',
    '      # A release of github.com/modelcontextprotocol/registry, and the SHA-256 of its file in registry_<version>_checksums.txt.',
    `      MCP_PUBLISHER_VERSION: ${mcpPublisher.version}`,
    `      MCP_PUBLISHER_SHA256: ${mcpPublisher.sha256}`,
    '    steps:',
    ...download,
    ...step(
      'name: fetch mcp-publisher and check it',
      'run: |',
      '  curl --fail --silent --show-error --location --output publisher.tar.gz \\',
      '    "https://github.com/modelcontextprotocol/registry/releases/download/v$MCP_PUBLISHER_VERSION/mcp-publisher_linux_amd64.tar.gz"',
      '  echo "$MCP_PUBLISHER_SHA256  publisher.tar.gz" | sha256sum --check --strict',
      '  tar --extract --gzip --file publisher.tar.gz mcp-publisher',
    ),
    ...login,
    ...step(
      'name: list the server',
      'run: |',
      '  cp release/server.json .',
      '  # A new package is not at once on all servers of npm.',
      '  for pause in 10 20 40 80 0; do ./mcp-publisher publish && exit 0; sleep "$pause"; done; exit 1',
    ),
  ]);
}
