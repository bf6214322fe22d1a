import type { Authentication, OAuthResourceServer } from '@toolwright/http';
import type { Transfers } from '@toolwright/http/transfers';
import type { Request } from 'express';
import { Router } from 'express';
import type { IncomingMessage } from 'node:http';

/** Where exports are fetched. Who is not signed in signs in first, and comes back. */
export function exportPages(transfers: Transfers): Router {
  const router = Router();
  router.get('/exports/:link', (req, res, next) => {
    if (req.headers.authorization !== undefined || req.session.agent) return next();
    res.redirect(303, `/sign-in?${new URLSearchParams({ to: req.path })}`);
  });
  router.use(transfers.handler);
  return router;
}

/** An agent is the same one with a token of a tool's caller, and with the session of the pages. */
export function byTokenOrPage({ oauth, issuer }: { oauth: OAuthResourceServer; issuer: string }) {
  return (req: IncomingMessage): ReturnType<OAuthResourceServer['authenticate']> => {
    const { agent } = (req as Request).session;
    if (req.headers.authorization !== undefined || !agent) return oauth.authenticate(req);
    return { principal: { issuer, ...agent, scopes: ['tickets:read'] } } satisfies Authentication;
  };
}
