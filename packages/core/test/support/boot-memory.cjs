// Prints how many bytes of heap the boot of a server takes for each tool, garbage included. Its young generation is
// so large that nothing is collected meanwhile. Argument: a file with the manifests of three servers. The first one
// only makes V8 compile everything.
const { readFileSync } = require('node:fs');
const { createMcpServer, McpService, McpTool } = require('@toolwright/core');

void (async () => {
  const sizes = [];
  for (const manifest of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
    const services = Object.values(manifest.classes).map(({ name }) => decorated(name, manifest));
    const before = process.memoryUsage().heapUsed;
    const server = await createMcpServer({ name: 'many', version: '1.0.0', services, manifest });
    sizes.push({ bytes: process.memoryUsage().heapUsed - before, tools: manifest.entries.length });
    await server.close();
  }
  const [, small, large] = sizes;
  console.log(Math.round((large.bytes - small.bytes) / (large.tools - small.tools)));
})();

function decorated(name, { entries }) {
  const target = { [name]: class {} }[name];
  for (const { method, class: key } of entries) {
    if (!key.endsWith(`#${name}`)) continue;
    const value = (text) => text;
    Object.defineProperty(target.prototype, method, { value, configurable: true, writable: true });
    const descriptor = Object.getOwnPropertyDescriptor(target.prototype, method);
    McpTool({ annotations: { readOnlyHint: true } })(target.prototype, method, descriptor);
  }
  McpService()(target);
  return target;
}
