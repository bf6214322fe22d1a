import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StdioTransport, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { McpContext, ToolOptions } from '@rekog/mcp-nest';
import type { AddressInfo } from 'node:net';
import { runContestant } from './contestant-process.js';
import type { Settings } from './settings.js';
import {
  COUNT_DESCRIPTION,
  COUNT_TOOL,
  countResult,
  ENDPOINT,
  measure,
  MEASURE_DESCRIPTION,
  SERVER_INFO,
  toolName,
} from './work.js';
import { countSchema, measureSchema } from './zod-schemas.js';

class BenchController {}

/** Decorates a method per tool; Nest keeps metadata on the function, so that each needs its own. */
function addMeasure(name: string) {
  const run = ({ text, size }: { text: string; size: number }) => ({
    content: [{ type: 'text', text: measure(text, size) }],
  });
  addMethod(name, run, { description: MEASURE_DESCRIPTION, parameters: measureSchema() });
}

function addCount() {
  const run = async ({ steps: total }: { steps: number }, ctx: McpContext) => {
    for (let done = 1; done <= total; done++) await ctx.reportProgress({ progress: done, total });
    return { content: [{ type: 'text', text: countResult(total) }] };
  };
  addMethod(COUNT_TOOL, run, { description: COUNT_DESCRIPTION, parameters: countSchema() });
  Ctx()(BenchController.prototype, COUNT_TOOL, 1);
}

function addMethod(name: string, run: unknown, options: Omit<ToolOptions, 'name'>) {
  const descriptor = { value: run, configurable: true, enumerable: false, writable: true };
  Object.defineProperty(BenchController.prototype, name, descriptor);
  Tool({ name, ...options })(BenchController.prototype, name, descriptor);
  Payload()(BenchController.prototype, name, 0);
}

function httpTransport({ dialect, progress }: Settings) {
  return new StreamableHttpTransport({
    endpoint: ENDPOINT,
    statefulMode: dialect === 'session',
    enableJsonResponse: !progress,
  });
}

void runContestant(async (settings) => {
  for (let index = 0; index < settings.tools; index++) addMeasure(toolName(index));
  if (settings.progress) addCount();
  McpController()(BenchController);
  const stdio = settings.transport === 'stdio';
  const strategy = new McpStrategy({
    ...SERVER_INFO,
    transports: [stdio ? new StdioTransport() : httpTransport(settings)],
    logging: false,
  });
  class BenchModule {}
  Module({ controllers: [BenchController] })(BenchModule);

  if (stdio) {
    await (await NestFactory.createMicroservice(BenchModule, { strategy, logger: false })).listen();
    return 0;
  }
  const app = await NestFactory.create<NestExpressApplication>(BenchModule, { logger: false });
  app.useBodyParser('json', { limit: '4mb' });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return (app.getHttpServer().address() as AddressInfo).port;
});
