import type { TableSet } from '@toolwright/postgres/database';
import { engineSchema } from '../task-database.js';

const unquoted = (schema: string): string => schema.slice(1, -1);

/** The tables of the records. The jobs are in tables that pg-boss makes for itself. */
export const taskTables: TableSet = {
  versions: 'task_migrations',
  advice: 'Call migrateTasks()',
  steps: [
    (schema) => `
-- pg-boss makes its tables in here. If it made the schema as well, two processes that start at the same moment could
-- both try.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${engineSchema(unquoted(schema))}') THEN
    CREATE SCHEMA "${engineSchema(unquoted(schema))}";
  END IF;
END $$;

-- What comes from outside is json, not jsonb: it keeps the text as it was sent, and takes every character.
CREATE TABLE IF NOT EXISTS ${schema}.tasks (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  tool text,
  status text NOT NULL DEFAULT 'working',
  status_message text,
  ttl_ms float8,
  poll_interval_ms float8 NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  questions json NOT NULL DEFAULT '{}',
  answers json NOT NULL DEFAULT '{}',
  ending json,
  -- An operator should look at it.
  dead boolean NOT NULL DEFAULT false,
  -- What the worker is given. Tasks without it belong to a process, and nobody hands them out.
  job text,
  -- The task that an operator has begun again as this one.
  origin text COLLATE "C",
  -- The job of pg-boss that hands out the next run, or has handed out this one.
  job_id uuid,
  -- How often pg-boss has handed out that job before, when it was taken last.
  job_number integer NOT NULL DEFAULT -1,
  -- Counts all runs. A worker whose number is not the latest one has lost its run.
  run integer NOT NULL DEFAULT 0,
  -- Counts the runs since the task began or was answered.
  attempt integer NOT NULL DEFAULT 0,
  -- A run has begun, and how it ended is not stored.
  unsettled boolean NOT NULL DEFAULT false,
  worker text
);
CREATE INDEX IF NOT EXISTS tasks_owner ON ${schema}.tasks (owner, expires_at);
CREATE INDEX IF NOT EXISTS tasks_known ON ${schema}.tasks (expires_at) WHERE owner <> '';
CREATE INDEX IF NOT EXISTS tasks_expires_at ON ${schema}.tasks (expires_at);
CREATE INDEX IF NOT EXISTS tasks_created_at ON ${schema}.tasks (created_at);
CREATE INDEX IF NOT EXISTS tasks_dead ON ${schema}.tasks (id) WHERE dead;

CREATE TABLE IF NOT EXISTS ${schema}.task_steps (
  task_id text COLLATE "C" NOT NULL REFERENCES ${schema}.tasks ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  -- NULL: nobody knows whether the step took effect.
  result text,
  PRIMARY KEY (task_id, key)
);

-- What operators have done.
CREATE TABLE IF NOT EXISTS ${schema}.task_actions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  by text NOT NULL,
  action text NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  tool text,
  -- The task that was begun.
  new_task_id text COLLATE "C"
);
CREATE INDEX IF NOT EXISTS task_actions_task ON ${schema}.task_actions (task_id);`,
    (schema) => `
-- The latest tick of each schedule.
CREATE TABLE IF NOT EXISTS ${schema}.schedules (
  name text COLLATE "C" PRIMARY KEY,
  tick timestamptz NOT NULL,
  -- The task of the last run that began.
  task_id text COLLATE "C",
  begun bigint NOT NULL DEFAULT 0,
  -- Runs that were left out, because the one before went on.
  overlapping bigint NOT NULL DEFAULT 0
);`,
    (schema) => `
-- What a worker must serve to do the work. Tasks of earlier releases lack it: every worker takes them.
ALTER TABLE ${schema}.tasks ADD COLUMN IF NOT EXISTS work text COLLATE "C";
-- How many runs were lost in a row before this one, and how many of them had their process for themselves.
ALTER TABLE ${schema}.tasks ADD COLUMN IF NOT EXISTS losses integer NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.tasks ADD COLUMN IF NOT EXISTS losses_alone integer NOT NULL DEFAULT 0;
-- The run has its process for itself.
ALTER TABLE ${schema}.tasks ADD COLUMN IF NOT EXISTS alone boolean NOT NULL DEFAULT false;
-- Waiting tasks and running ones, by owner: owners take turns.
CREATE INDEX IF NOT EXISTS tasks_handed_out ON ${schema}.tasks (owner, created_at, id)
  WHERE job_id IS NOT NULL AND ending IS NULL;
CREATE INDEX IF NOT EXISTS tasks_suspect ON ${schema}.tasks (id)
  WHERE job_id IS NOT NULL AND ending IS NULL AND losses + unsettled::integer >= 2;

-- When a process that served some work was last heard of.
CREATE TABLE IF NOT EXISTS ${schema}.task_work (
  kind text COLLATE "C" PRIMARY KEY,
  served_at timestamptz NOT NULL
);`,
    (schema) => `
-- Who takes turns for the task: a tenant, for all of its users. NULL: its owner.
ALTER TABLE ${schema}.tasks ADD COLUMN IF NOT EXISTS party text COLLATE "C";
CREATE INDEX IF NOT EXISTS tasks_turns ON ${schema}.tasks (coalesce(party, owner), owner, created_at, id)
  WHERE job_id IS NOT NULL AND ending IS NULL;`,
  ],
};
