import type { Database, Queries } from './database.js';
import { exampleInvoices, exampleTenants, exampleTickets } from './example-data.js';

/** Any constant will do. It keeps two replicas from creating the same tables at once. */
const LOCK = 7_184_018;

const statements = [
  `create table if not exists tenants (id text primary key, name text not null, plan text not null)`,
  `create table if not exists counters (tenant text primary key, next integer not null)`,
  `create table if not exists tickets (
     tenant text not null,
     number integer not null,
     subject text not null,
     body text not null,
     customer text not null,
     status text not null default 'open',
     assignee text,
     resolution text,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now(),
     primary key (tenant, number)
   )`,
  `create table if not exists replies (
     tenant text not null,
     number integer not null,
     author text not null,
     text text not null,
     at timestamptz not null default clock_timestamp(),
     foreign key (tenant, number) references tickets
   )`,
  `create table if not exists invoices (
     tenant text not null,
     number text not null,
     customer text not null,
     cents integer not null,
     refunded integer not null default 0,
     primary key (tenant, number)
   )`,
  `create table if not exists refunds (
     tenant text not null,
     key text not null,
     invoice text not null,
     cents integer not null,
     asked_by text not null,
     primary key (tenant, key)
   )`,
  `create table if not exists web_sessions (id text primary key, data text not null, expires timestamptz not null)`,
];

/** Creates what is missing, and fills an empty desk. Several replicas may do it at once. */
export async function createTables(database: Database): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query(`select pg_advisory_xact_lock($1)`, [LOCK]);
    for (const statement of statements) await queries.query(statement);
    if ((await queries.query(`select 1 from counters limit 1`)).length === 0) await fill(queries);
  });
}

async function fill(queries: Queries): Promise<void> {
  for (const { id, name, plan } of exampleTenants)
    await queries.query(`insert into tenants (id, name, plan) values ($1, $2, $3)`, [id, name, plan]);
  for (const [tenant, tickets] of Object.entries(exampleTickets)) {
    for (const [index, { subject, body, customer, daysAgo }] of tickets.entries())
      await queries.query(
        `insert into tickets (tenant, number, subject, body, customer, created_at, updated_at)
         values ($1, $2, $3, $4, $5, now() - make_interval(days => $6), now() - make_interval(days => $6))`,
        [tenant, index + 1, subject, body, customer, daysAgo],
      );
    await queries.query(`insert into counters (tenant, next) values ($1, $2)`, [tenant, tickets.length + 1]);
  }
  for (const { tenant, number, customer, cents } of exampleInvoices)
    await queries.query(`insert into invoices (tenant, number, customer, cents) values ($1, $2, $3, $4)`, [
      tenant,
      number,
      customer,
      cents,
    ]);
}
