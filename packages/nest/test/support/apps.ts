import 'reflect-metadata';
import { Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { silentLogger } from '@toolwright/core/ports';
import type { HttpServed } from '@toolwright/http';
import { call, send } from '../../../http/test/support/wire.js';
import { EndpointHost, NestEndpoint, endpointController } from '../../src/http/nest-endpoint.js';
import { McpModule, type McpModuleOptions, type McpRouteOptions } from '../../src/index.js';
import type { NestHttpOptions } from '../../src/options.js';

const apps: INestApplication[] = [];

export interface Platform {
  name: string;
  /** The app trusts a proxy on this machine. */
  trustsProxy?: boolean;
  create(root: new () => object, trustsProxy?: boolean): Promise<INestApplication>;
}

/** The apps close all connections, so that no test waits for a client that keeps one. */
const options = { logger: false, abortOnError: false, forceCloseConnections: true } as const;

export const platforms: Platform[] = [
  {
    name: 'Express',
    create: async (root, trustsProxy = false) => {
      const adapter = new ExpressAdapter();
      if (trustsProxy)
        adapter.getInstance<{ set(name: string, value: string): void }>().set('trust proxy', 'loopback');
      return NestFactory.create(root, adapter, options);
    },
  },
  {
    name: 'Fastify',
    create: (root, trustsProxy = false) => {
      const trusted = trustsProxy ? { trustProxy: 'loopback' } : {};
      return NestFactory.create(
        root,
        new FastifyAdapter({ forceCloseConnections: true, ...trusted }),
        options,
      );
    },
  },
];

/** A module class with this content. */
export function moduleOf(metadata: ModuleMetadata): new () => object {
  @Module(metadata)
  class RootModule {}
  return RootModule;
}

/** The module under test. It logs nothing. */
export function mcp(options: Partial<McpModuleOptions> & McpRouteOptions = {}) {
  const quiet = { name: 'nest', version: '1', logger: silentLogger, rateLimit: false, audit: false } as const;
  return McpModule.forRoot({ ...quiet, ...options });
}

export interface Served {
  app: INestApplication;
  /** The URL of the app's root. */
  url: string;
}

/** @param configure changes the app before it starts */
export async function serve(
  { create, trustsProxy }: Platform,
  metadata: ModuleMetadata,
  configure: (app: INestApplication) => void = () => undefined,
): Promise<Served> {
  const app = await create(moduleOf(metadata), trustsProxy);
  apps.push(app);
  configure(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, url: `http://127.0.0.1:${port}` };
}

/** Serves the endpoint of a server alone, without the module. */
export function serveEndpoint(
  platform: Platform,
  { server, options }: { server: HttpServed; options: NestHttpOptions },
  configure?: (app: INestApplication) => void,
): Promise<Served> {
  const host = new EndpointHost();
  host.endpoint = new NestEndpoint(server, options);
  const providers = [{ provide: EndpointHost, useValue: host }];
  return serve(platform, { controllers: [endpointController('/mcp', [])], providers }, configure);
}

export async function closeApps(): Promise<void> {
  for (const app of apps.splice(0)) await app.close();
}

/** @returns the text of the answer; the status if there is no such endpoint */
export async function callTool(
  url: string,
  name: string,
  args: Record<string, unknown> = {},
  { path = '/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<unknown> {
  const message = call(name, args);
  const answer = await send(url, { ...message, path, headers: { ...message.headers, ...headers } });
  if (answer.status !== 200) return answer.status;
  return answer.json.error?.message ?? answer.json.result.content[0].text;
}
