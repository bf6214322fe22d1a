import { timingSafeEqual } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Caller } from '../tenants/caller-of.js';
import type { TenantStore } from '../tenants/tenants.js';
import type { Ticket } from '../tickets/ticket.js';
import type { TicketStore } from '../tickets/ticket-store.js';
import { html, page, style } from './html.js';

/** The pages that the desk had before it had tools: a list of tickets, and a ticket. */
export function ticketPages(store: TicketStore, tenants: TenantStore): Router {
  const router = Router();

  router.get('/', (_req, res) => res.redirect(303, '/tickets'));
  router.get('/desk.css', (_req, res) => void res.type('css').send(style));

  router.get('/tickets', signedIn, async (req, res) => {
    const agent = agentOf(req);
    const tickets = await store.list(agent, undefined, 100);
    const tenant = await tenants.find(agent.tenant);
    const rows = tickets.map(
      ({ id, subject, status, assignee }) =>
        html`<tr>
          <td><a href="/tickets/${id}">${id}</a></td>
          <td>${subject}</td>
          <td>${status}</td>
          <td>${assignee ?? ''}</td>
        </tr>`,
    );
    const body = html`<p>
        ${agent.subject}, ${tenant?.name ?? agent.tenant}. <a href="/approvals">What waits for you</a>
      </p>
      <table>
        <thead>
          <tr>
            <th>Ticket</th>
            <th>Subject</th>
            <th>Status</th>
            <th>Agent</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
      ${formOf('/sign-out', req, html`<button>Sign out</button>`)}`;
    res.send(page('Tickets', body));
  });

  router.get('/tickets/:id', signedIn, async (req, res) => {
    const ticket = await store.get(agentOf(req), String(req.params['id']));
    res.send(page(`${ticket.id}: ${ticket.subject}`, ticketBody(ticket, req)));
  });

  router.post('/tickets/:id/replies', signedIn, ownForm, async (req, res) => {
    const { text } = req.body as { text?: unknown };
    const id = String(req.params['id']);
    if (typeof text !== 'string' || text.trim() === '') return res.redirect(303, `/tickets/${id}`);
    const ticket = await store.reply(agentOf(req), id, text);
    res.redirect(303, `/tickets/${ticket.id}`);
  });

  router.post('/sign-out', signedIn, ownForm, (req, res, next) => {
    req.session.destroy((error) => (error ? next(error) : res.redirect(303, '/tickets')));
  });

  return router;
}

function ticketBody(ticket: Ticket, req: Request) {
  const replies = ticket.replies.map(
    ({ author, text, at }) =>
      html`<article>
        <p>${author}, ${timeOf(at)}</p>
        <pre>${text}</pre>
      </article>`,
  );
  const label = ticket.status === 'closed' ? 'Reply, and open the ticket again' : 'Reply';
  return html`<p><a href="/tickets">All tickets</a></p>
    <p>${ticket.customer} · ${ticket.status}${ticket.assignee === null ? '' : ` · ${ticket.assignee}`}</p>
    <pre>${ticket.body}</pre>
    ${replies} ${ticket.resolution === null ? '' : html`<p>Closed: ${ticket.resolution}</p>`}
    ${formOf(
      `/tickets/${ticket.id}/replies`,
      req,
      html`<p>
          <label>${label}<textarea name="text" rows="4" required></textarea></label>
        </p>
        <button>Send</button>`,
    )}`;
}

/** A time as people read it, and as the page of approvals writes it. */
function timeOf(at: Date) {
  const exact = at.toISOString();
  return html`<time datetime="${exact}">${exact.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

const formOf = (action: string, { session }: Request, fields: ReturnType<typeof html>) =>
  html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${session.formToken!}" />${fields}
  </form>`;

const signedIn: RequestHandler = (req, res, next) => {
  if (req.session.agent) return next();
  if (req.method === 'GET') res.redirect(303, `/sign-in?${new URLSearchParams({ to: req.path })}`);
  else
    res
      .status(401)
      .send(page('You are not signed in', html`<p>Nothing was changed. <a href="/sign-in">Sign in</a>.</p>`));
};

/** Forms of other sites are refused. */
const ownForm: RequestHandler = (req: Request, res: Response, next) => {
  const given = Buffer.from(String((req.body as { token?: unknown } | undefined)?.token));
  const wanted = Buffer.from(req.session.formToken!);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) next();
  else
    res
      .status(403)
      .send(
        page(
          'This form is out of date',
          html`<p>Nothing was changed. Look at <a href="/tickets">all tickets</a>.</p>`,
        ),
      );
};

const agentOf = (req: Request): Caller => req.session.agent!;
