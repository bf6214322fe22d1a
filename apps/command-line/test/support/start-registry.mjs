// Verdaccio on a free loopback port: prints its URL, stops when stdin closes. It asks no other registry.
import verdaccio from 'verdaccio';

const [storage] = process.argv.slice(2);
const registry = await verdaccio.runServer({
  self_path: storage,
  storage,
  packages: { '**': { access: '$all', publish: '$all' } },
  auth: { htpasswd: { file: `${storage}/htpasswd` } },
  uplinks: {},
  middlewares: {},
  web: { enable: false },
  max_body_size: '100mb',
  log: { type: 'stdout', level: 'fatal' },
});
// A client that packs for long between two requests finds its connection as it left it.
registry.keepAliveTimeout = 0;
await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve));
console.log(`http://127.0.0.1:${registry.address().port}/`);
process.stdin.on('end', () => process.exit(0)).resume();
