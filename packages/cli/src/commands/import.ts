import type { AddCommand, CommandContext } from '@toolwright/operate';
import { addPackageCommand } from './package-command.js';

/** The package of the app writes the services, so that they fit the client that the app has. */
export const addImport: AddCommand = (program, context) => {
  const group = program.command('import').description('write services from an API or a database');
  const openapi = {
    words: ['import', 'openapi'],
    description: 'write decorated services from an OpenAPI specification, or update them',
    usage: '<file> --out <folder> [options]',
    package: '@toolwright/openapi',
  };
  addPackageCommand(group, openapi, context, changesBetween);
  const postgres = {
    words: ['import', 'postgres'],
    description: 'write decorated services from the tables of a PostgreSQL database, or update them',
    usage: '[url] --out <folder> [options]',
    package: '@toolwright/tables',
  };
  addPackageCommand(group, postgres, context, changesBetween);
};

/** Says in the words of `toolwright diff` what changed. */
async function changesBetween({ terminal }: CommandContext): Promise<object> {
  const { compareContracts } = await import('../contract/compare-contracts.js');
  const { formatChanges } = await import('../contract/change.js');
  type Contracts = Parameters<typeof compareContracts>;
  return {
    changes: (before: Contracts[0], after: Contracts[1]) =>
      formatChanges(compareContracts(before, after), terminal),
  };
}
