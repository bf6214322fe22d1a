import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerOptions, ProjectFolder, repository } from '../../cli/test/support/project-folder.js';

/** Nest's own hello world with a call in place of `listen(3000)`. */
const main = (create: string) => `
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
${create.includes('Fastify') ? "import { FastifyAdapter } from '@nestjs/platform-fastify';" : ''}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, ${create});
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address();
  const method = 'tools/call';
  const name = 'read_order';
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const answer = await fetch(\`http://127.0.0.1:\${port}/mcp\`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': name },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name, arguments: { orderId: '7' }, _meta } }),
  });
  console.log(await answer.text());
  await app.close();
}
void bootstrap();
`;

let project: ProjectFolder;

/** The app of the guide, built as the guide says. */
beforeAll(() => {
  project = new ProjectFolder();
  const page = readFileSync(join(repository, 'docs/nestjs.md'), 'utf8');
  for (const [, file, text] of page.matchAll(/^```ts file=(\S+)\n([^]*?)^```$/gm))
    project.write(`src/${file}`, text!);
  project.write('src/express.ts', main('{ logger: false }'));
  project.write('src/fastify.ts', main('new FastifyAdapter(), { logger: false }'));
  project.write('package.json', JSON.stringify({ name: 'shop', type: 'commonjs' }));
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  project.install({
    '@toolwright/core': 'packages/core',
    '@toolwright/nest': 'packages/nest',
    '@types/node': 'node_modules/@types/node',
    'reflect-metadata': 'packages/nest/node_modules/reflect-metadata',
  });
  for (const name of ['common', 'core', 'platform-express', 'platform-fastify'])
    project.link(`node_modules/@nestjs/${name}`, `packages/nest/node_modules/@nestjs/${name}`);
});

afterAll(() => project.remove());

test('the app of the guide is built, and serves on both platforms', () => {
  const compiled = project.compile();
  expect([compiled.stdout, compiled.status]).toEqual(['', 0]);
  const built = project.toolwright('build');
  expect([built.stderr, built.status]).toEqual(['', 0]);
  for (const platform of ['express', 'fastify']) {
    const { stdout, stderr } = project.node(`dist/${platform}.js`);
    expect([stderr, JSON.parse(stdout)]).toMatchObject([
      '',
      { result: { content: [{ type: 'text', text: 'two cups of tea' }] } },
    ]);
  }
});
