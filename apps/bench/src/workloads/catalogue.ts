import { GUARDED_SEARCH_TOOL } from '../contestants/work.js';
import type { Dialect } from '../contestants/settings.js';
import { callAuth } from './call-auth.js';
import { callRedis } from './call-redis.js';
import { coldStart } from './cold-start.js';
import { callElicit, callTask } from './conversations.js';
import { fetchHandler } from './fetch-handler.js';
import { httpLoad } from './http-load.js';
import { listenFanout } from './listen-fanout.js';
import { manyTools } from './many-tools.js';
import { sessionMemory, streamMemory } from './memory.js';
import { proxy } from './proxy.js';
import {
  callExam,
  dtoExam,
  forwardExam,
  listExam,
  objectExam,
  progressExam,
  usualExam,
} from './questions.js';
import { stdioLoad } from './stdio-load.js';
import { timeToPeak } from './time-to-peak.js';
import { toolMemory } from './tool-memory.js';
import type { Workload } from './workload.js';

/** The newest way in which a contestant can be called without remembering its clients, if it has one. */
const newest: Dialect[] = ['modern', 'stateless', 'session'];

const STEPS = 10;

const calls = (tools: number) =>
  httpLoad({
    name: `call-${tools}`,
    title: `tools/call of the cheapest tool (synchronous, one short text), ${tools} tool${tools === 1 ? '' : 's'}, 16 connections`,
    exam: callExam(tools),
    connections: 16,
    dialects: newest,
  });

const objects = (name: string, rows: number) =>
  httpLoad({
    name,
    title: `tools/call answered with ${rows} rows and their output schema, 10 tools, 16 connections`,
    exam: objectExam(10, rows),
    connections: 16,
    dialects: newest,
    needs: 'objects',
  });

const usual = (name: string, rows: number) =>
  httpLoad({
    name,
    title: `tools/call as people write tools: async, @RateLimit, a nested DTO, audit, ${rows} rows, 10 tools, 16 connections`,
    exam: usualExam(10, rows),
    connections: 16,
    dialects: newest,
    needs: 'usual',
  });

/** Everything that is measured, in the order of the report. */
export const workloads: Workload[] = [
  calls(10),
  calls(1),
  calls(100),
  calls(1000),
  manyTools(1000, newest),
  objects('call-object', 5),
  objects('call-large-object', 100),
  httpLoad({
    name: 'call-dto',
    title: 'tools/call with a nested class-validator DTO, 10 tools, 16 connections',
    exam: dtoExam(10),
    connections: 16,
    dialects: newest,
    needs: 'dto',
  }),
  usual('call-usual', 5),
  usual('call-usual-15', 15),
  callAuth(
    {
      name: 'call-auth',
      title: 'tools/call answered with 5 rows, a token and its scope checked, 10 tools, 16 connections',
      exam: objectExam(10, 5, GUARDED_SEARCH_TOOL),
      connections: 16,
      dialects: newest,
      needs: 'tokens',
    },
    objectExam(10, 5),
  ),
  callRedis({
    name: 'call-redis',
    title: 'tools/call counted in Redis, 10 tools, 16 connections',
    exam: callExam(10),
    connections: 16,
    dialects: newest,
    needs: 'redis',
  }),
  callElicit,
  callTask,
  proxy({
    name: 'proxy',
    title: 'tools/call passed on to another server, 10 tools, 16 connections',
    exam: forwardExam(10),
    connections: 16,
    dialects: newest,
    needs: 'proxy',
  }),
  fetchHandler,
  listenFanout,
  timeToPeak,
  httpLoad({
    name: 'call-session',
    title: 'tools/call on 2025-11-25 with a session per connection, 10 tools, 16 connections',
    exam: callExam(10),
    connections: 16,
    dialects: ['session'],
  }),
  httpLoad({
    name: 'call-256',
    title: 'tools/call, 10 tools, 256 connections',
    exam: callExam(10),
    connections: 256,
    dialects: newest,
  }),
  httpLoad({
    name: 'call-steady',
    title: 'tools/call, 10 tools, 300 arrivals a second: latency below saturation',
    exam: callExam(10),
    connections: 64,
    dialects: newest,
    arrivals: 300,
  }),
  httpLoad({
    name: 'large-argument',
    title: 'tools/call with an argument of 100 KB, 10 tools, 16 connections',
    exam: callExam(10, 'argument'),
    connections: 16,
    dialects: newest,
  }),
  httpLoad({
    name: 'large-result',
    title: 'tools/call with a result of 100 KB, 10 tools, 16 connections',
    exam: callExam(10, 'result'),
    connections: 16,
    dialects: newest,
  }),
  httpLoad({
    name: 'list-1000',
    title: 'tools/list of 1000 tools, 16 connections',
    exam: listExam(1000),
    connections: 16,
    dialects: newest,
  }),
  httpLoad({
    name: 'progress',
    title: `tools/call with ${STEPS} progress notifications as events, 10 tools, 16 connections`,
    exam: progressExam(10, STEPS),
    connections: 16,
    dialects: newest,
  }),
  stdioLoad,
  coldStart(10),
  coldStart(100),
  coldStart(1000),
  toolMemory,
  sessionMemory,
  streamMemory,
];
