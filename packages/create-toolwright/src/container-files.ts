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
}: ContainerOptions): string {
  const { files, install, build } = managers[manager];
  const output = entry.split('/')[0]!;
  return [
    '# A tag can move to another image, and a digest cannot. This shows the digest, for name:tag@sha256:…',
    `#   docker buildx imagetools inspect ${base.split('@')[0]}`,
    `ARG NODE_IMAGE=${base}`,
    '',
    'FROM ${NODE_IMAGE} AS build',
    'WORKDIR /app',
    `COPY ${files} ./`,
    `RUN ${install}`,
    'COPY . .',
    `RUN ${build}`,
    '',
    'FROM ${NODE_IMAGE}',
    ...(registryName === undefined ? [] : [registryLabel(registryName)]),
    'WORKDIR /app',
    'ENV NODE_ENV=production',
    'COPY --from=build /app/package.json /app/mcp.manifest.json ./',
    'COPY --from=build /app/node_modules ./node_modules',
    `COPY --from=build /app/${output} ./${output}`,
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

/** What must not be sent to the builder: it is big, made anew, or secret. */
export const dockerIgnored = ['node_modules', 'dist', '.data', '.git', '.env*', '*.mcpb'];
