import { mcpExpress, mcpReady } from '@toolwright/express';
import { approvalPage } from '@toolwright/identity';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { billingApi } from './billing/billing-api.js';
import type { Desk } from './desk.js';
import { billingOf } from './desk-settings.js';
import { html, page } from './pages/html.js';
import { signIn } from './pages/sign-in.js';
import { exportPages } from './pages/export-pages.js';
import { ticketPages } from './pages/ticket-pages.js';
import { webSessions } from './pages/web-sessions.js';

/**
 * The desk's Express app, with pages, cookies, forms, a 404 page and an error handler of its own. Everything but the marked
 * lines was there before anybody thought of tools.
 */
export function createDeskApp(desk: Desk): Express {
  const { settings, server, oauth, database, tickets, tenants, transfers } = desk;
  const { origin, issuer, client, secrets, instance } = settings;
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set('Desk-Replica', instance);
    next();
  });
  app.use(express.urlencoded({ extended: false, limit: '50kb' }));

  app.use(oauth.metadata); // tells clients where to sign in
  app.use('/mcp', mcpExpress(server, { oauth })); // the tools
  app.use(approvalPage(server)); // where people approve refunds
  app.get('/readyz', mcpReady(server)); // for a balancer

  app.use('/billing', billingApi(database, { resource: billingOf(settings), issuer }));
  app.use(guardPages, webSessions(database, secrets));
  app.use(signIn({ origin, issuer, client, oauth }));
  app.use(exportPages(transfers)); // where exports are fetched
  app.use(ticketPages(tickets, tenants));
  app.use((_req, res) => void res.status(404).send(nothingHere));
  app.use(answerErrors);
  return app;
}

/** The pages run no script, load nothing from elsewhere, and are shown in no frame. */
const guardPages: RequestHandler = (_req, res, next) => {
  res.set({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

const nothingHere = page('There is nothing here', html`<p>Look at <a href="/tickets">all tickets</a>.</p>`);

const answerErrors: ErrorRequestHandler = (error: { status?: unknown }, _req, res, next) => {
  if (res.headersSent) return next(error);
  const status = typeof error.status === 'number' ? error.status : 500;
  if (status >= 500) console.error(error);
  res
    .status(status)
    .send(
      status === 404
        ? nothingHere
        : page('This did not work', html`<p>Try again, or look at <a href="/tickets">all tickets</a>.</p>`),
    );
};
