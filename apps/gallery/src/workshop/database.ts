import { TableDatabase, type TableDatabaseOptions } from '@toolwright/tables';

/**
 * The database Workshop: where it is, how long a statement may take, and whose rows a caller sees.
 * Its address comes from the environment, so that no password is in a file.
 */
export class WorkshopDatabase extends TableDatabase {
  constructor(place: TableDatabaseOptions = { url: process.env.WORKSHOP_DATABASE_URL }) {
    super({
      ...place,
      timeout: '5s',
    });
  }
}
