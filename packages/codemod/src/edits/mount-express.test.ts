import { mountInExpress } from './mount-express.js';

const mount = (text: string) =>
  mountInExpress(text, { path: '/mcp', handler: { name: 'mcp', from: './mcp.js' } });
const MOUNT = "app.use('/mcp', mcp);";

/** Returns the statement before which the handler was mounted. */
function mountedBefore(...statements: string[]): string | undefined {
  const done = mount(["import express from 'express';", 'const app = express();', ...statements].join('\n'));
  if (typeof done !== 'object') throw new Error(`It was not mounted: ${done}`);
  const lines = done.text.split('\n');
  return lines[lines.indexOf(MOUNT) + 1];
}

test.each([
  ["app.get('/a', answer);"],
  ["app.route('/a').get(answer);"],
  ["app.use('/a', router);"],
  ['app.use(router);'],
  ['app.use(errorHandler);'],
  ['app.use(express.static("public"));'],
  ['app.use((error, request, response, next) => next(error));'],
  ['addRoutes(app);'],
  ['await registerControllers(app);'],
  ['app.listen(3000);'],
  ['export default app;'],
])('the handler is mounted after what runs for every request, and before %s', (statement) => {
  const first = ['app.use(helmet());', 'app.use(session);', 'addSessions(app);', "app.get('env');"];
  expect(mountedBefore(...first, 'const port = 1;', statement, "app.get('/later', answer);")).toBe(statement);
});

test.each([
  ['app.use(express.json());'],
  ["app.use(express.json({ limit: '5mb' }), express.urlencoded({ extended: true }));"],
  ['app.use(bodyParser.json());'],
  ['app.use(csrf({ cookie: true }));'],
  ['app.use(doubleCsrfProtection);'],
  ['app.use(upload.none());'],
  ['app.use(hpp());'],
])('the handler is mounted before %s, which would change or refuse its requests', (statement) => {
  const after = [
    'const port = 1;',
    "app.set('views', 'views');",
    'app.use(express.text());',
    "app.get('/a', answer);",
  ];
  expect(mountedBefore('app.use(session);', statement, ...after)).toBe(statement);
});

test('what may be a check of access stays in front, with the body parsers before it, and these are named', () => {
  const parsers = ['app.use(express.json());', 'app.use(csrfProtection);'];
  const lines = ["import express from 'express';", 'const app = express();', ...parsers];
  const done = mount(
    [...lines, 'app.use(requireUser);', 'app.use(express.raw());', "app.get('/a', answer);"].join('\n'),
  );
  expect(done).toEqual({
    text: expect.stringContaining(`app.use(requireUser);\n${MOUNT}\napp.use(express.raw());`),
    afterBodies: parsers,
  });
});

test('in an app without routes the handler is mounted at the end', () => {
  expect(mountedBefore('app.use(session);')).toBeUndefined();
});

test.each([
  ["import * as express from 'express';"],
  ["import express = require('express');"],
  ["const express = require('express');"],
  ["const express = require('express').default;"],
  ["const { default: express } = require('express');"],
  ["const http = require('http'), express = require('express');"],
  ["const express = (await import('express')).default;"],
  ["import { default as express, type Express } from 'express';"],
  ["import type { Express } from 'express';\nimport express, { json } from 'express';"],
])('Express is found behind %s', (line) => {
  expect(mount(`${line}\nconst app = express();\n`)).toMatchObject({ text: expect.stringContaining(MOUNT) });
});

test.each([
  ['let app = express();'],
  ['var app = express();'],
  ['const app: Express = express();'],
  ['export const app = express();'],
  ['export let app: express.Express = express();'],
  ['const server = 1, app = express();'],
  ['let app: Express;\napp = express();'],
  ['const app = express() as Application;'],
  ['const app = (express()) satisfies Application;'],
  ['const app = express()!;'],
  ['const app = express.default();'],
  ["const app = require('express')();"],
])('an app is found in %s', (line) => {
  const done = mount(`import express from 'express';\n${line}\napp.get('/a', answer);\n`);
  expect(done).toMatchObject({ text: expect.stringContaining(`${line}\n${MOUNT}\napp.get`) });
});

test('an app that is a member of a class is mounted before the methods that add routes', () => {
  const done = mount(
    [
      "import express from 'express';",
      'class Shop {',
      '  constructor() {',
      '    this.app = express();',
      '    this.addSessions();',
      '    this.initialiseRoutes();',
      '  }',
      '}',
    ].join('\n'),
  );
  expect(done).toMatchObject({
    text: expect.stringContaining(
      "    this.addSessions();\n    this.app.use('/mcp', mcp);\n    this.initialiseRoutes();",
    ),
  });
});

test('an app inside a function is mounted there, and its comment stays on its line', () => {
  const done = mount(
    [
      "import express from 'express';",
      'function make() {',
      '  const app = express(); // the app',
      '  return app;',
      '}',
    ].join('\n'),
  );
  expect(done).toMatchObject({
    text: expect.stringContaining(`  const app = express(); // the app\n  ${MOUNT}\n  return app;`),
  });
});

test.each<[string, string, unknown]>([
  ['no app', "import express from 'express';\nconst router = express.Router();", undefined],
  ['an app of another framework', "import fastify from 'fastify';\nconst app = fastify();", undefined],
  [
    'a server instead of an app',
    "import express from 'express';\nconst server = express().listen(1);",
    undefined,
  ],
  [
    'an app of another package named express',
    "import { express } from 'other';\nconst app = express();",
    undefined,
  ],
  ['an app in a class', "import express from 'express';\nclass A { app = express(); }", undefined],
  ['two apps', "import express from 'express';\nconst app = express();\nconst admin = express();", 'unclear'],
])('%s is reported, and the file is not changed', (_case, text, verdict) => {
  expect(mount(text)).toBe(verdict);
});
