import type { McpServer } from '@toolwright/core';
import { mcpExpress, mcpReady } from '@toolwright/express';
import express, { type ErrorRequestHandler, type Express } from 'express';
import session from 'express-session';
import { type Bookshop, OrderError } from './bookshop.js';

declare module 'express-session' {
  interface SessionData {
    customer: string;
    basket: string[];
  }
}

/**
 * The shop's Express app: body parsers, sessions, routes, a 404 page and an error handler of its own. Everything but
 * the marked lines was there before.
 *
 * @param server left out, the app is the one that was there before
 */
export function createBookshopApp(shop: Bookshop, server?: McpServer): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(express.json({ limit: '20kb' }));
  app.use(express.urlencoded({ extended: false, limit: '20kb' }));
  app.use(
    session({
      name: 'bookshop',
      secret: 'not a secret in an example',
      resave: false,
      saveUninitialized: false,
    }),
  );

  if (server) app.use('/mcp', mcpExpress(server)); // the whole integration
  if (server) app.get('/readyz', mcpReady(server)); // only for a balancer

  addRoutes(app, shop);
  app.use((_request, response) => void response.status(404).type('html').send('<h1>No such shelf</h1>'));
  app.use(answerErrors);
  return app;
}

function addRoutes(app: Express, shop: Bookshop): void {
  app.get('/books', (request, response) => void response.json(shop.find(String(request.query.q ?? ''))));

  app.get('/books/:isbn', (request, response, next) => {
    const book = shop.book(request.params.isbn);
    if (book) response.json(book);
    else next();
  });

  app.post('/login', (request, response) => {
    request.session.customer = String(request.body?.name ?? 'guest');
    response.redirect(303, '/basket');
  });

  app.get('/basket', (request, response) => {
    const { customer = null, basket = [] } = request.session;
    response.json({ customer, basket });
  });

  app.post('/basket', (request, response) => {
    request.session.basket = [...(request.session.basket ?? []), String(request.body?.isbn)];
    response.status(201).json({ basket: request.session.basket });
  });

  app.post('/orders', (request, response) => {
    response
      .status(201)
      .json({ price: shop.order(String(request.body?.isbn), Number(request.body?.copies)) });
  });
}

const answerErrors: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof OrderError) return void response.status(409).json({ shop: error.message });
  const status = typeof error.status === 'number' ? error.status : 500;
  response.status(status).json({ shop: status < 500 ? error.message : 'Something broke. We are sorry.' });
};
