import type { Conversation } from './conversation.js';

type Data = Record<string, any>;
type Turn = Conversation['turn'];

/** Something that a person wants, and how a model does it. */
export interface Job {
  readonly name: string;
  /** What a model searches for that does not have the list. Each query is a call, and all are made at the same time. */
  readonly finds: readonly string[];
  /** Calls tool by tool. Returns what the person wants to know. */
  direct(turn: Turn): Promise<unknown>;
  /** The same as a program. */
  readonly code: string;
}

const hundred = { limit: 100 };
const count = <T>(items: readonly T[], keyOf: (item: T) => string) => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
};

/** Jobs on APIs of companies. */
export const jobsOfApis: readonly Job[] = [
  {
    name: 'join of three lists of 100 rows',
    finds: ['list customers', 'list invoices', 'list charges'],
    async direct(turn) {
      const [customers, invoices, charges] = await turn(
        ['stripe_get_customers', hundred],
        ['stripe_get_invoices', { ...hundred, status: 'open' }],
        ['stripe_get_charges', hundred],
      );
      const failed = new Set(
        charges!.data.filter((each: Data) => each.status === 'failed').map((each: Data) => each.customer),
      );
      const open: Record<string, number> = {};
      for (const { id, country } of customers!.data)
        for (const invoice of invoices!.data)
          if (invoice.customer === id && failed.has(id))
            open[country] = (open[country] ?? 0) + invoice.amount_due;
      return open;
    },
    code: `const [customers, invoices, charges] = await Promise.all([
  tools.stripe_get_customers({ limit: 100 }),
  tools.stripe_get_invoices({ limit: 100, status: 'open' }),
  tools.stripe_get_charges({ limit: 100 }),
]);
const failed = new Set(charges.data.filter((c) => c.status === 'failed').map((c) => c.customer));
const country = new Map(customers.data.map((c) => [c.id, c.country]));
const open = {};
for (const { customer, amount_due } of invoices.data)
  if (failed.has(customer)) open[country.get(customer)] = (open[country.get(customer)] ?? 0) + amount_due;
return open;`,
  },
  {
    name: 'sum of one list of 100 rows',
    finds: ['list charges'],
    async direct(turn) {
      const [charges] = await turn(['stripe_get_charges', hundred]);
      return count(charges!.data as Data[], ({ status }) => status);
    },
    code: `const { data } = await tools.stripe_get_charges({ limit: 100 });
const byStatus = {};
for (const { status } of data) byStatus[status] = (byStatus[status] ?? 0) + 1;
return byStatus;`,
  },
  {
    name: 'three pages of 100 rows',
    finds: ['list users of the workspace'],
    async direct(turn) {
      const members: Data[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const [page] = await turn(['slack_users_list', { ...hundred, ...(cursor !== '' && { cursor }) }]);
        members.push(...page!.members);
        cursor = page!.next_cursor === '' ? undefined : page!.next_cursor;
      }
      return count(members, ({ tz }) => tz);
    },
    code: `const byZone = {};
let cursor;
do {
  const page = await tools.slack_users_list(cursor ? { limit: 100, cursor } : { limit: 100 });
  for (const { tz } of page.members) byZone[tz] = (byZone[tz] ?? 0) + 1;
  cursor = page.next_cursor;
} while (cursor);
return byZone;`,
  },
  {
    name: 'tasks of each of ten projects',
    finds: ['list projects', 'list tasks of a project'],
    async direct(turn) {
      const [projects] = await turn(['asana_get_projects', hundred]);
      const lists = await turn(
        ...projects!.data.map(
          ({ gid }: Data) => ['asana_get_tasks_for_project', { project_gid: gid }] as const,
        ),
      );
      const late = lists
        .flatMap(({ data }) => data as Data[])
        .filter(({ due_on, completed }) => !completed && due_on < '2026-06-01');
      return count(late, ({ assignee }) => assignee);
    },
    code: `const { data: projects } = await tools.asana_get_projects({ limit: 100 });
const lists = await Promise.all(projects.map(({ gid }) => tools.asana_get_tasks_for_project({ project_gid: gid })));
const late = {};
for (const { data } of lists)
  for (const { assignee, completed, due_on } of data)
    if (!completed && due_on < '2026-06-01') late[assignee] = (late[assignee] ?? 0) + 1;
return late;`,
  },
  {
    name: 'a channel by its name, then its messages',
    finds: ['list channels', 'messages of a channel'],
    async direct(turn) {
      const [channels] = await turn(['slack_conversations_list', hundred]);
      const { id } = channels!.channels.find(({ name }: Data) => name === 'incidents');
      const [history] = await turn(['slack_conversations_history', { channel: id, limit: 100 }]);
      return count(history!.messages as Data[], ({ user }) => user);
    },
    code: `const { channels } = await tools.slack_conversations_list({ limit: 100 });
const { id } = channels.find(({ name }) => name === 'incidents');
const { messages } = await tools.slack_conversations_history({ channel: id, limit: 100 });
const byUser = {};
for (const { user } of messages) byUser[user] = (byUser[user] ?? 0) + 1;
return byUser;`,
  },
  {
    name: 'three look-ups in a row, small results',
    finds: ['find a customer by email', 'subscriptions of a customer', 'upcoming invoice'],
    async direct(turn) {
      const [found] = await turn(['stripe_get_customers_search', { query: "email:'c7@example.com'" }]);
      const customer = found!.data[0].id;
      const [subscriptions] = await turn(['stripe_get_subscriptions', { customer, limit: 1 }]);
      const subscription = subscriptions!.data[0].id;
      const [upcoming] = await turn(['stripe_get_invoices_upcoming', { customer, subscription }]);
      return { due: upcoming!.amount_due };
    },
    code: `const { data: [{ id: customer }] } = await tools.stripe_get_customers_search({ query: "email:'c7@example.com'" });
const { data: [{ id: subscription }] } = await tools.stripe_get_subscriptions({ customer, limit: 1 });
const { amount_due } = await tools.stripe_get_invoices_upcoming({ customer, subscription });
return { due: amount_due };`,
  },
  {
    name: 'one message for each of eight rows of a list',
    finds: ['list invoices', 'send a message to a channel'],
    async direct(turn) {
      const [invoices] = await turn(['stripe_get_invoices', { ...hundred, status: 'open' }]);
      const large = (invoices!.data as Data[]).filter(({ amount_due }) => amount_due >= 9_300);
      await turn(
        ...large.map(({ number, amount_due }) => {
          const body = { channel: 'C2', text: `Invoice ${number}: ${amount_due} is open.` };
          return ['slack_chat_post_message', { body }] as const;
        }),
      );
      return { sent: large.length };
    },
    code: `const { data } = await tools.stripe_get_invoices({ limit: 100, status: 'open' });
const large = data.filter(({ amount_due }) => amount_due >= 9300);
await Promise.all(large.map(({ number, amount_due }) =>
  tools.slack_chat_post_message({ body: { channel: 'C2', text: \`Invoice \${number}: \${amount_due} is open.\` } })));
return { sent: large.length };`,
  },
  {
    name: 'a query of 100 pages, and five of them changed',
    finds: ['query a data source', 'update a page'],
    async direct(turn) {
      const [found] = await turn(['notion_query_data_source', { data_source_id: 'd1', page_size: 100 }]);
      const old = (found!.results as Data[]).filter(
        ({ last_edited_time }) => last_edited_time < '2026-01-06',
      );
      await turn(...old.map(({ id }) => ['notion_patch_page', { page_id: id, archived: true }] as const));
      return { archived: old.length };
    },
    code: `const { results } = await tools.notion_query_data_source({ data_source_id: 'd1', page_size: 100 });
const old = results.filter(({ last_edited_time }) => last_edited_time < '2026-01-06');
await Promise.all(old.map(({ id }) => tools.notion_patch_page({ page_id: id, archived: true })));
return { archived: old.length };`,
  },
  {
    name: 'the best ten of 20 lists',
    finds: ['followed artists', 'top tracks of an artist'],
    async direct(turn) {
      const [followed] = await turn(['spotify_get_followed', { limit: 20 }]);
      const lists = await turn(
        ...followed!.artists.map(
          ({ id }: Data) => ['spotify_get_an_artists_top_tracks', { id, market: 'DE' }] as const,
        ),
      );
      const tracks = lists.flatMap((list) => list.tracks as Data[]);
      return tracks
        .sort((a, b) => b.popularity - a.popularity)
        .slice(0, 10)
        .map(({ name }) => name);
    },
    code: `const { artists } = await tools.spotify_get_followed({ limit: 20 });
const lists = await Promise.all(artists.map(({ id }) => tools.spotify_get_an_artists_top_tracks({ id, market: 'DE' })));
return lists.flatMap(({ tracks }) => tracks).sort((a, b) => b.popularity - a.popularity).slice(0, 10).map(({ name }) => name);`,
  },
  {
    name: 'one call with a small result',
    finds: ['get a customer'],
    async direct(turn) {
      const [customer] = await turn(['stripe_get_customers_customer', { customer: 'cus_7' }]);
      return { email: customer!.email };
    },
    code: `const { email } = await tools.stripe_get_customers_customer({ customer: 'cus_7' });
return { email };`,
  },
];

/** Jobs on the support desk of apps/desk. Its 14 tools need no search. */
export const jobsOfDesk: readonly Job[] = [
  {
    name: 'open tickets of each agent',
    finds: [],
    async direct(turn) {
      const [list, agents] = await turn(
        ['list_tickets', { status: 'open', limit: 100 }],
        ['list_agents', {}],
      );
      const name = new Map((agents!.agents as Data[]).map((each) => [each.subject, each.name as string]));
      return count(list!.tickets as Data[], ({ assignee }) => name.get(assignee) ?? 'nobody');
    },
    code: `const [{ tickets }, { agents }] = await Promise.all([tools.list_tickets({ status: 'open', limit: 100 }), tools.list_agents()]);
const name = new Map(agents.map((a) => [a.subject, a.name]));
const open = {};
for (const { assignee } of tickets) { const who = name.get(assignee) ?? 'nobody'; open[who] = (open[who] ?? 0) + 1; }
return open;`,
  },
  {
    name: 'invoices of each of 20 tickets',
    finds: [],
    async direct(turn) {
      const [list] = await turn(['list_tickets', { status: 'open', limit: 20 }]);
      const lists = await turn(
        ...list!.tickets.map(({ id }: Data) => ['list_invoices', { ticketId: id }] as const),
      );
      return lists
        .flatMap(({ invoices }) => invoices as Data[])
        .reduce((sum, { cents, refunded }) => sum + cents - refunded, 0);
    },
    code: `const { tickets } = await tools.list_tickets({ status: 'open', limit: 20 });
const lists = await Promise.all(tickets.map(({ id }) => tools.list_invoices({ ticketId: id })));
return lists.flatMap(({ invoices }) => invoices).reduce((sum, { cents, refunded }) => sum + cents - refunded, 0);`,
  },
  {
    name: 'six tickets assigned',
    finds: [],
    async direct(turn) {
      const [list] = await turn(['list_tickets', { status: 'open', limit: 100 }]);
      const free = (list!.tickets as Data[]).filter(({ assignee }) => assignee === null).slice(0, 6);
      await turn(...free.map(({ id }) => ['assign_ticket', { ticketId: id, agent: 'ann' }] as const));
      return free.map(({ id }) => id);
    },
    code: `const { tickets } = await tools.list_tickets({ status: 'open', limit: 100 });
const free = tickets.filter(({ assignee }) => assignee === null).slice(0, 6);
await Promise.all(free.map(({ id }) => tools.assign_ticket({ ticketId: id, agent: 'ann' })));
return free.map(({ id }) => id);`,
  },
  {
    name: 'ten tickets read for one word',
    finds: [],
    async direct(turn) {
      const [list] = await turn(['search_tickets', { query: 'kettle', limit: 10 }]);
      const tickets = await turn(
        ...list!.tickets.map(({ id }: Data) => ['get_ticket', { ticketId: id }] as const),
      );
      return tickets.filter(({ body }) => body.includes('lid')).map(({ id }) => id);
    },
    code: `const { tickets } = await tools.search_tickets({ query: 'kettle', limit: 10 });
const read = await Promise.all(tickets.map(({ id }) => tools.get_ticket({ ticketId: id })));
return read.filter(({ body }) => body.includes('lid')).map(({ id }) => id);`,
  },
];
