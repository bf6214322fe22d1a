import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { temporaryFolder } from './support/folder.js';
import { connect, type Kind, type Side } from './support/reference-server.js';

const base = temporaryFolder();

type Schema = {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
};

/** Our large results go on by a cursor: see the differences. */
const isAdded = (name: string, { description }: Schema) =>
  name === 'cursor' && description?.startsWith('Continues a result');

/** The names and types in a schema, without descriptions and bounds. */
function shapeOf(schema: Schema): unknown {
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name, each]) => !isAdded(name, each))
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, each]) => [schema.required?.includes(name) ? name : `${name}?`, shapeOf(each)]),
    );
  if (schema.items) return [shapeOf(schema.items)];
  // Our numbers of lines are whole: see the differences.
  return schema.type === 'integer' ? 'number' : schema.type;
}

async function toolsOf(client: Client) {
  const { tools } = await client.listTools();
  return Object.fromEntries(
    tools.map(({ name, title, annotations, inputSchema, outputSchema }) => [
      name,
      { title, annotations, input: shapeOf(inputSchema as Schema), output: shapeOf(outputSchema as Schema) },
    ]),
  );
}

const start = (kind: Kind, side: Side) =>
  connect(kind, side, { args: [base()], env: { MEMORY_FILE_PATH: `${base()}/memory.jsonl` } });

it.each(['memory', 'filesystem'] as const)(
  '%s has the same tools, with the same titles, annotations, arguments and results',
  async (kind) => {
    const [ours, theirs] = await Promise.all([start(kind, 'ours'), start(kind, 'theirs')]);

    expect(await toolsOf(ours)).toEqual(await toolsOf(theirs));
  },
);

it('every tool and argument of ours tells what it is for, and in fewer bytes', async () => {
  const bytes = { ours: 0, theirs: 0 };
  for (const side of ['ours', 'theirs'] as const)
    for (const kind of ['memory', 'filesystem'] as const) {
      const { tools } = await (await start(kind, side)).listTools();
      expect(tools.filter(({ description }) => !description)).toEqual([]);
      bytes[side] += JSON.stringify(tools).length;
    }

  expect(bytes.ours).toBeLessThan(bytes.theirs);
});
