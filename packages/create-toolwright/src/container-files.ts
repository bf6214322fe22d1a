/** How an app is put into an image. */
export interface ContainerOptions {
  transport: 'http' | 'stdio';
  /** The package manager whose lockfile is beside the `package.json`. */
  manager?: 'npm' | 'pnpm';
  /** The image to start from, best with a digest. */
  base?: string;
  /** The compiled file that starts the app, with forward slashes. */
  entry?: string;
  /** The name in the MCP registry, which the image must prove. */
  registryName?: string;
  /** True if the app writes into the folder `.data`. */
  hasData?: boolean;
  /** For a package in a workspace of pnpm. The image is then built at the root of the workspace. */
  workspace?: WorkspacePackage;
}

/** A package in a workspace of pnpm. */
export interface WorkspacePackage {
  /** The name in its `package.json`. */
  name: string;
  /** Its folder, from the root of the workspace, with forward slashes: `apps/notes`. */
  folder: string;
}

const defaultBase = 'node:22-slim';

const managers = {
  npm: {
    files: 'package.json package-lock.json*',
    install: 'if [ -f package-lock.json ]; then npm ci; else npm install; fi',
    build: 'npm run build && npm prune --omit=dev',
  },
  pnpm: {
    files: 'package.json pnpm-lock.yaml pnpm-workspace.yaml*',
    install: 'corepack enable && pnpm install --frozen-lockfile',
    build: 'pnpm run build && CI=true pnpm prune --prod',
  },
};

/** The lines of the first stage: they install and build in `/app`. */
function buildAlone(manager: 'npm' | 'pnpm'): string[] {
  const { files, install, build } = managers[manager];
  return ['WORKDIR /app', `COPY ${files} ./`, `RUN ${install}`, 'COPY . .', `RUN ${build}`];
}

/**
 * The same for a package of a workspace: what it needs of the workspace is built before it. Production has copies of that,
 * and no links.
 */
function buildInWorkspace({ name }: WorkspacePackage): string[] {
  const [all, own] = [JSON.stringify(`${name}...`), JSON.stringify(name)];
  return [
    'WORKDIR /workspace',
    'COPY . .',
    `RUN corepack enable && pnpm install --frozen-lockfile --filter ${all}`,
    `RUN pnpm --filter ${all} --if-present run build && pnpm --filter ${all} --if-present run manifest`,
    `RUN pnpm --config.inject-workspace-packages=true --filter ${own} --prod deploy /app`,
  ];
}

/**
 * The Dockerfile of an app. The first stage installs and builds; the second has what production needs, and a user
 * without rights.
 */
export function dockerfile({
  transport,
  manager = 'npm',
  base = defaultBase,
  entry = 'dist/main.js',
  registryName,
  hasData = false,
  workspace,
}: ContainerOptions): string {
  const from = workspace ? `/workspace/${workspace.folder}` : '/app';
  const output = entry.split('/')[0]!;
  return [
    ...(workspace
      ? [
          `# At the root of the workspace: docker build -f ${workspace.folder}/Dockerfile -t ${shortName(workspace)} .`,
        ]
      : []),
    '# A tag can move to another image, and a digest cannot. This shows the digest, for name:tag@sha256:…',
    `#   docker buildx imagetools inspect ${base.split('@')[0]}`,
    `ARG NODE_IMAGE=${base}`,
    '',
    'FROM ${NODE_IMAGE} AS build',
    ...(workspace ? buildInWorkspace(workspace) : buildAlone(manager)),
    '',
    'FROM ${NODE_IMAGE}',
    ...(registryName === undefined ? [] : [registryLabel(registryName)]),
    'WORKDIR /app',
    'ENV NODE_ENV=production',
    `COPY --from=build ${from}/package.json ${from}/mcp.*.json ./`,
    'COPY --from=build /app/node_modules ./node_modules',
    `COPY --from=build ${from}/${output} ./${output}`,
    ...(hasData ? ['RUN mkdir .data && chown node .data'] : []),
    'USER node',
    ...(transport === 'http'
      ? overHttp
      : ['# The host that starts the container sees when it ends.', 'HEALTHCHECK NONE']),
    '# A worker, or an operator at work: docker run --entrypoint node_modules/.bin/toolwright-operate <image> worker',
    '# It needs the package @toolwright/operate among the dependencies.',
    `ENTRYPOINT ["node", "--enable-source-maps", "${entry}"]`,
    '',
  ].join('\n');
}

const overHttp = [
  '# Nothing outside of the container can reach its 127.0.0.1. ALLOWED_HOSTS still says which host names it accepts.',
  'ENV HOST=0.0.0.0',
  'EXPOSE 3000',
  `HEALTHCHECK --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]`,
];

/** The registry lists an image only if it names the server. */
export const registryLabel = (name: string): string => `LABEL io.modelcontextprotocol.server.name="${name}"`;

const shortName = ({ name }: WorkspacePackage) => name.split('/').at(-1)!;

/** What must not be sent to the builder: it is big, made anew, or secret. */
const dockerIgnored = ['node_modules', 'dist', '.data', '.git', '.env*', '*.mcpb', '*recording*.jsonl*'];

/**
 * The file with the names of what stays away from the builder. The builder reads the one beside a Dockerfile before that of
 * the folder that it is given: so the root of a workspace needs none.
 */
export function ignoreFile(workspace: WorkspacePackage | undefined): {
  name: string;
  lines: readonly string[];
} {
  if (!workspace) return { name: '.dockerignore', lines: dockerIgnored };
  return { name: 'Dockerfile.dockerignore', lines: dockerIgnored.map((line) => `**/${line}`) };
}
