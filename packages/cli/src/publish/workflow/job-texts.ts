/** Each action with the commit of one release. A tag can be moved to other code; a commit cannot. */
const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  setupNode: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  upload: 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
  download: 'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1',
  setupBuildx: 'docker/setup-buildx-action@e468171a9de216ec08956ac3ada2f0791b6bd435 # v3.11.1',
  login: 'docker/login-action@5e57cd118135c172c3672efd75eb46360885c0ef # v3.6.0',
  buildImage: 'docker/build-push-action@263435318d21b8e681c14492fe198d362a7d2c83 # v6.18.0',
} as const;

/** The tool of the MCP registry, and the SHA-256 of its archive for the runner. */
const mcpPublisher = {
  version: '1.8.1',
  sha256: 'a06c9096dcb9727c13555b6be26c7effa707b01f06a4c561ba7a3635443cf2cc',
} as const;

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

/** What all jobs but their steps have. */
const frame = (needs: readonly string[]) => `needs: [${needs.join(', ')}]
    runs-on: ubuntu-latest
    timeout-minutes: 20`;

const checkout = `- uses: ${actions.checkout}
        with:
          persist-credentials: false`;
const setupNode = `- uses: ${actions.setupNode}
        with:
          node-version: 24
          package-manager-cache: false # another workflow could have written the cache`;
const download = `- uses: ${actions.download}
        with:
          name: release
          path: release`;

interface BuildParts {
  manager: ManagerCommands;
  /** The folder of the project in its repository; empty for the root. */
  folder: string;
  npm: boolean;
  bundle: boolean;
}

/** Runs the code of the project and of its dependencies, and so has no right to publish anything. */
export function buildJob({ manager, folder, npm, bundle }: BuildParts): string {
  const { install, build, test, pack } = manager;
  const commands = [
    ...[install, build, test, 'npx --no toolwright publish registry --check', 'mkdir release'],
    ...(bundle ? ['npx --no toolwright publish bundle --yes --out release'] : []),
    ...(npm ? [pack] : []),
    'cp server.json release/',
  ];
  const defaults = `
    defaults:
      run:
        working-directory: ${folder}`;
  return `  build:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    permissions:
      contents: read${folder === '' ? '' : defaults}
    steps:
      ${checkout}
      ${setupNode}
      - name: the tag is the version
        run: test "$GITHUB_REF_NAME" = "v$(node -p "require('./package.json').version")"
${commands.map((command) => `      - run: ${command}`).join('\n')}
      - uses: ${actions.upload}
        with:
          name: release
          path: ${folder === '' ? '' : `${folder}/`}release
          if-no-files-found: error`;
}

export const npmJob = (): string => `  npm:
    ${frame(['build'])}
    permissions:
      id-token: write # npm trusts this workflow, so no token is stored
    environment: publish
    steps:
      ${setupNode}
      ${download}
      - run: npm publish ./release/*.tgz --access public --provenance --ignore-scripts`;

export const releaseJob = (): string => `  release:
    ${frame(['build'])}
    permissions:
      contents: write # the release with the bundle
    steps:
      ${download}
      - run: gh release create "$GITHUB_REF_NAME" release/*.mcpb --verify-tag --generate-notes
        env:
          GH_TOKEN: \${{ github.token }}
          GH_REPO: \${{ github.repository }}`;

/** @param image without its tag */
export const imageJob = (image: string, folder: string): string => `  image:
    ${frame(['build'])}
    permissions:
      contents: read
      packages: write # the image
    steps:
      ${checkout}
      - name: name the image as server.json does
        id: image
        run: echo "name=${image}:\${GITHUB_REF_NAME#v}" >> "$GITHUB_OUTPUT"
      - uses: ${actions.setupBuildx}
      - uses: ${actions.login}
        with:
          registry: ghcr.io
          username: \${{ github.actor }}
          password: \${{ github.token }}
      - uses: ${actions.buildImage}
        with:
          context: ${folder === '' ? '.' : folder}
          push: true
          tags: \${{ steps.image.outputs.name }}
          platforms: linux/amd64
          provenance: mode=max
          sbom: true`;

/** @param domain whose key proves the name space; undefined for that of a GitHub account */
export function registryJob(needs: readonly string[], domain: string | undefined): string {
  const permissions = `permissions:
      id-token: write # proves who runs the workflow`;
  const byKey = `- run: ./mcp-publisher login dns --domain ${domain} --private-key "$MCP_PRIVATE_KEY"
        env:
          MCP_PRIVATE_KEY: \${{ secrets.MCP_PRIVATE_KEY }} # a secret of the environment "publish"`;
  return `  registry:
    ${frame(needs)}
    ${domain === undefined ? permissions : 'permissions: {}'}
    environment: publish
    env:
      # A release of github.com/modelcontextprotocol/registry, and the SHA-256 of its file in registry_<version>_checksums.txt.
      MCP_PUBLISHER_VERSION: ${mcpPublisher.version}
      MCP_PUBLISHER_SHA256: ${mcpPublisher.sha256}
    steps:
      ${download}
      - name: fetch mcp-publisher and check it
        run: |
          curl --fail --silent --show-error --location --output publisher.tar.gz \\
            "https://github.com/modelcontextprotocol/registry/releases/download/v$MCP_PUBLISHER_VERSION/mcp-publisher_linux_amd64.tar.gz"
          echo "$MCP_PUBLISHER_SHA256  publisher.tar.gz" | sha256sum --check --strict
          tar --extract --gzip --file publisher.tar.gz mcp-publisher
      ${domain === undefined ? '- run: ./mcp-publisher login github-oidc' : byKey}
      - name: list the server
        run: |
          cp release/server.json .
          # A new package is not at once on all servers of npm.
          for pause in 10 20 40 80 0; do ./mcp-publisher publish && exit 0; sleep "$pause"; done; exit 1`;
}
