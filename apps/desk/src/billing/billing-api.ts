import express, { type NextFunction, type Request, type Response, Router } from 'express';
import type { Database } from '../database/database.js';
import { type BillingCaller, openTokenCheck, type TokenSettings } from './check-token.js';

interface Invoice {
  number: string;
  customer: string;
  cents: number;
  refunded: number;
}

/**
 * The billing service of the company. It lies behind the desk and trusts nobody there: each request needs a token for this
 * API, of the person for whom it is made.
 */
export function billingApi(database: Database, settings: TokenSettings): Router {
  const check = openTokenCheck(settings);
  const needs = (scope: string) => async (req: Request, res: Response, next: NextFunction) => {
    const caller = await check(req.headers.authorization).catch((error: unknown) => {
      console.error(error);
      return 'unknown' as const;
    });
    if (caller === 'unknown') return void res.status(503).json({ error: 'The issuer does not answer.' });
    if (!caller) return void res.status(401).json({ error: 'A token for this API is missing.' });
    if (!caller.scopes.includes(scope)) return void res.status(403).json({ error: `It needs ${scope}.` });
    res.locals['caller'] = caller;
    next();
  };
  const callerOf = (res: Response) => res.locals['caller'] as BillingCaller;
  const router = Router();
  router.use(express.json({ limit: '10kb' }));

  router.get('/invoices', needs('billing:read'), async (req, res) => {
    const { tenant } = callerOf(res);
    const invoices = await database.query<Invoice>(
      `select number, customer, cents, refunded from invoices where tenant = $1 and customer = $2 order by number`,
      [tenant, String(req.query['customer'])],
    );
    res.json({ invoices });
  });

  router.post('/refunds', needs('billing:refund'), async (req, res) => {
    const { invoice, cents } = req.body as { invoice: string; cents: number };
    const key = req.headers['idempotency-key'];
    if (typeof key !== 'string' || !Number.isSafeInteger(cents) || cents < 1)
      return void res.status(400).json({ error: 'A refund needs whole cents and an Idempotency-Key.' });
    const refunded = await refund(database, callerOf(res), { key, invoice: String(invoice), cents });
    if (refunded) res.status(201).json(refunded);
    else res.status(409).json({ error: 'There is no such invoice, or less than that is left of it.' });
  });
  return router;
}

/** Pays back once for each key. @returns the invoice afterwards; `undefined` when it cannot be done */
function refund(
  database: Database,
  { tenant, subject }: BillingCaller,
  { key, invoice, cents }: { key: string; invoice: string; cents: number },
): Promise<Invoice | undefined> {
  return database.transaction(async (queries) => {
    const isNew = await queries.query(
      `insert into refunds (tenant, key, invoice, cents, asked_by) select $1, $2, $3, $4, $5
       where exists (select 1 from invoices where tenant = $1 and number = $3 and cents - refunded >= $4)
       on conflict do nothing returning key`,
      [tenant, key, invoice, cents, subject],
    );
    if (isNew.length > 0)
      await queries.query(`update invoices set refunded = refunded + $3 where tenant = $1 and number = $2`, [
        tenant,
        invoice,
        cents,
      ]);
    const [row] = await queries.query<Invoice>(
      `select number, customer, cents, refunded from invoices where tenant = $1 and number = $2
         and exists (select 1 from refunds where tenant = $1 and key = $3)`,
      [tenant, invoice, key],
    );
    return row;
  });
}
