/** A database with everything that an import has to understand. Nothing in it comes from another project. */
export const SHOP = `
CREATE TYPE mood AS ENUM ('glad', 'so-so', 'it''s bad');
CREATE TYPE place AS (street text, number integer);
CREATE DOMAIN year AS integer CHECK (VALUE BETWEEN 1900 AND 2155);
CREATE DOMAIN tags AS text[];
CREATE SCHEMA stock;

CREATE TABLE customers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name character varying(20) NOT NULL,
  email text UNIQUE,
  born date,
  mood mood NOT NULL DEFAULT 'glad',
  balance numeric(10,2) NOT NULL DEFAULT 0,
  score double precision,
  is_active boolean NOT NULL DEFAULT true,
  password_hash text,
  settings jsonb,
  moods mood[],
  numbers bigint[],
  photo bytea,
  lives place,
  since year,
  labels tags,
  code char(4),
  seen timestamptz,
  alarm timestamp,
  token_id uuid,
  words tsvector,
  full_name text GENERATED ALWAYS AS (name || '!') STORED
);
COMMENT ON TABLE customers IS 'People who buy. */ @sensitive {@link x} <b>Bold</b>\u200b.';
COMMENT ON COLUMN customers.name IS 'How we call them';

CREATE TABLE products (
  sku text PRIMARY KEY,
  name text NOT NULL,
  price numeric(8,2) NOT NULL CHECK (price >= 0),
  rank smallint DEFAULT 3
);
CREATE TABLE orders (
  id serial PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  placed timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE order_lines (
  order_id integer NOT NULL REFERENCES orders ON DELETE CASCADE,
  line smallint NOT NULL,
  sku text REFERENCES products,
  PRIMARY KEY (order_id, line)
);
CREATE TABLE deliveries (id integer PRIMARY KEY, order_id integer, line smallint,
  FOREIGN KEY (order_id, line) REFERENCES order_lines);
CREATE TABLE log (at timestamptz DEFAULT now(), line text);
CREATE TABLE "Order Details" ("Unit Price" numeric, "unit_price" integer, "naïve; DROP TABLE ""log""" text,
  "class" text, "__proto__" text, "価格" integer, "1st" integer, "classes" text[]);
CREATE TABLE stock.products (sku text UNIQUE NOT NULL REFERENCES public.products, count integer NOT NULL);
CREATE TABLE measures (at date NOT NULL, value real) PARTITION BY RANGE (at);
CREATE TABLE measures_2026 PARTITION OF measures FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE VIEW active_customers AS SELECT id, name FROM customers WHERE is_active;
CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS customers FROM customers;
`;
