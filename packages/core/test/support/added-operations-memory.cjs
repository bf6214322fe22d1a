// Prints how many bytes it takes to add a tool, a resource and a template beside ten others, and beside four thousand.
// The young generation must be large enough that nothing is collected in between.
const { createMcpServer } = require('@toolwright/core');

const FEW = 10;
const MANY = 4_000;
const MEASURED = 50;

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const handler = async () => 'done';

const kinds = {
  tools: (id) => ({ name: `tool-${id}`, description: `Does ${id}.`, handler }),
  resources: (id) => ({ name: `resource-${id}`, uri: `test://${id}`, description: `Holds ${id}.`, handler }),
  resourceTemplates: (id) => ({
    name: `template-${id}`,
    uriTemplate: `t${id}://{id}`,
    description: 'x',
    handler,
  }),
};

async function main() {
  const server = await createMcpServer({ name: 'many', version: '1', audit: false, logger: quiet });
  let next = 0;
  const addTo = (count) => {
    for (; next < count; next++) for (const kind in kinds) server[kind].add(kinds[kind](next));
  };
  const measure = () =>
    Object.fromEntries(
      Object.keys(kinds).map((kind) => {
        const before = process.memoryUsage().heapUsed;
        for (let index = 0; index < MEASURED; index++) server[kind].add(kinds[kind](`${next}-${index}`));
        return [kind, Math.round((process.memoryUsage().heapUsed - before) / MEASURED)];
      }),
    );
  addTo(FEW);
  measure();
  addTo(FEW + 1);
  const few = measure();
  addTo(MANY);
  globalThis.gc();
  process.stdout.write(JSON.stringify({ few, many: measure() }));
  await server.close();
}

void main();
