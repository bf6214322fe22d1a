import { ts } from '../generator/tjs-adapter.js';
import { asyncItem, classifyType } from './classify-type.js';
import { isHidden, isNothing } from './members.js';

/** Combinations of members that only objects of a running process have, and what such an object is. */
const MARKERS: { members: readonly string[]; what: string }[] = [
  { members: ['on', 'emit', 'removeListener'], what: 'a stream, a socket or another event emitter' },
  { members: ['addEventListener', 'dispatchEvent'], what: 'an event target' },
  { members: ['getReader', 'cancel'], what: 'a stream' },
  { members: ['getWriter', 'abort'], what: 'a stream' },
  { members: ['arrayBuffer', 'clone'], what: 'a web request or response' },
  { members: ['arrayBuffer', 'slice', 'stream'], what: 'bytes that the process holds' },
];

/** The name under which this table lists the types of the language itself. */
const LIBRARY = 'typescript';

/** Members of the client that Prisma generates. It may be among a project's own sources. */
const PRISMA = ['$connect', '$disconnect'];

/** Types of well-known packages without such members. */
const NAMES: Readonly<Record<string, { what: string; names: readonly string[] }>> = {
  typeorm: {
    what: 'a database client',
    names: ['DataSource', 'EntityManager', 'Repository', 'TreeRepository', 'QueryRunner', 'SelectQueryBuilder'],
  },
  pg: { what: 'a database client', names: ['Pool', 'Client', 'PoolClient', 'PoolBase', 'ClientBase'] },
  mysql2: { what: 'a database client', names: ['Pool', 'Connection', 'PoolConnection'] },
  ioredis: { what: 'a database client', names: ['Redis', 'Cluster'] },
  '@redis/client': { what: 'a database client', names: ['RedisClientType', 'RedisClusterType'] },
  knex: { what: 'a database client', names: ['Knex', 'QueryBuilder', 'Transaction'] },
  '@mikro-orm/core': { what: 'a database client', names: ['MikroORM', 'EntityManager', 'EntityRepository'] },
  sequelize: { what: 'a database client', names: ['Sequelize', 'Transaction', 'QueryInterface'] },
  mongodb: { what: 'a database client', names: ['MongoClient', 'Db', 'Collection', 'ClientSession'] },
  mongoose: { what: 'a database client', names: ['Mongoose', 'Connection', 'Model', 'ClientSession'] },
  kysely: { what: 'a database client', names: ['Kysely', 'Transaction'] },
  'drizzle-orm': { what: 'a database client', names: ['PgDatabase', 'NodePgDatabase', 'MySqlDatabase', 'BaseSQLiteDatabase'] },
  'express-serve-static-core': { what: "a server's own object", names: ['Request', 'Response', 'Application'] },
  express: { what: "a server's own object", names: ['Request', 'Response', 'Application'] },
  fastify: { what: "a server's own object", names: ['FastifyRequest', 'FastifyReply', 'FastifyInstance'] },
  koa: { what: "a server's own object", names: ['ExtendableContext', 'BaseRequest', 'BaseResponse'] },
  hono: { what: "a server's own object", names: ['Context', 'HonoRequest'] },
  '@types/node': { what: 'an object of the running process', names: ['FileHandle', 'TransformStream'] },
  // These types are listed by name, because `next` alone could also be data.
  [LIBRARY]: { what: 'a generator', names: ['Generator', 'AsyncGenerator', 'Iterator', 'AsyncIterator'] },
}; // prettier-ignore

/**
 * Says what an object is if it lives in one process, so that no JSON value can represent it: a stream, a
 * socket, a request, a database client. Undefined for anything else. Types of the project itself do not
 * count, because the server may provide an instance. Only types of other packages are recognised, by their
 * members or names.
 */
export function liveObject(type: ts.Type): string | undefined {
  if (!isObject(type)) return undefined;
  if (hasMembers(type, PRISMA)) return 'a database client';
  if (!isInstalled(type)) return undefined;
  return namedAs(type) ?? MARKERS.find(({ members }) => hasMembers(type, members))?.what;
}

/**
 * Does the same for a type of another package that is mostly methods, such as the client of a service. Values
 * with data and a `toJSON` do not count. This is only for parameters: inside data, a class with methods is
 * more likely a number with many digits.
 */
export function serviceObject(type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const known = liveObject(type);
  if (known !== undefined) return known;
  const special = classifyType(type, checker);
  if (special && (special.kind !== 'function' || packageOf(type) === LIBRARY)) return undefined;
  return isMostlyMethods(type, checker, 1) ? 'mostly methods' : undefined;
}

function isMostlyMethods(type: ts.Type, checker: ts.TypeChecker, depth: number): boolean {
  if (!isObject(type) || !isInstalled(type) || checker.isArrayLikeType(type)) return false;
  let methods = isCallable(type) ? 1 : 0;
  let data = 0;
  for (const member of checker.getPropertiesOfType(type)) {
    if (isHidden(member)) continue;
    const value = checker.getTypeOfSymbol(member);
    const isMethod =
      !carriesData(value, checker) || (depth > 0 && isMostlyMethods(value, checker, depth - 1));
    if (isMethod) methods += member.flags & ts.SymbolFlags.Optional ? 0 : 1;
    else data += 1;
  }
  return methods > 1 && methods > data && (data === 0 || !type.getProperty('toJSON'));
}

function hasMembers(type: ts.Type, names: readonly string[]): boolean {
  return names.every((name) => {
    const member = type.getProperty(name);
    return member !== undefined && !!(member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Property));
  });
}

function isObject({ flags }: ts.Type): boolean {
  return !!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
}

function isCallable(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0;
}

function namedAs(type: ts.Type): string | undefined {
  for (const part of type.isIntersection() ? type.types : [type]) {
    const owner = packageOf(part);
    const known = owner !== undefined && Object.hasOwn(NAMES, owner) ? NAMES[owner] : undefined;
    const names = [part.getSymbol()?.getName(), part.aliasSymbol?.getName()];
    if (known?.names.some((name) => names.includes(name))) return known.what;
  }
  return undefined;
}

function isInstalled(type: ts.Type): boolean {
  return (type.isIntersection() ? type.types : [type]).some((part) => packageOf(part) !== undefined);
}

/** The package in `node_modules` that declares a type. The standard library counts as a package. */
function packageOf(type: ts.Type): string | undefined {
  const file = (type.getSymbol() ?? type.aliasSymbol)?.declarations?.[0]?.getSourceFile();
  if (!file) return undefined;
  if (file.hasNoDefaultLib) return LIBRARY;
  const found = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file.fileName)?.[1];
  return found?.replace('\\', '/').replace(/^@types\/(?!node$)/, '');
}

/**
 * Whether JSON contains a property of this type. It contains no functions, and no properties without values.
 */
export function carriesData(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (isNothing(type)) return false;
  const value = checker.getNonNullableType(type);
  const parts = value.isUnion() ? value.types : [value];
  return parts.length === 0 || !parts.every((part) => isFunction(part, checker));
}

function isFunction(type: ts.Type, checker: ts.TypeChecker): boolean {
  return classifyType(type, checker)?.kind === 'function' && !asyncItem(type, checker);
}
