-- The tables of a workshop for bicycles. `src/workshop` has the tools that `toolwright import postgres` made of them.
CREATE TYPE repair_state AS ENUM ('waiting', 'in progress', 'done');

CREATE TABLE bicycles (
  frame_number text PRIMARY KEY,
  brand text NOT NULL,
  owner text NOT NULL,
  wheel_inches numeric(4, 2)
);
COMMENT ON TABLE bicycles IS 'The bicycles of our customers.';
COMMENT ON COLUMN bicycles.frame_number IS 'As it is stamped below the pedals';

CREATE TABLE repairs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  frame_number text NOT NULL REFERENCES bicycles,
  fault character varying(200) NOT NULL,
  state repair_state NOT NULL DEFAULT 'waiting',
  price numeric(8, 2) CHECK (price >= 0),
  due date,
  parts text[] NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE repairs IS 'What is to be repaired, and what was.';
COMMENT ON COLUMN repairs.price IS 'In euros';

CREATE VIEW late_repairs AS
  SELECT id, frame_number, fault, due FROM repairs WHERE state <> 'done' AND due < current_date;
