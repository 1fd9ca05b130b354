import { safeContentHandler, type SafeContentHandler, type SafeContentOptions } from '@toolwright/sdk';
import type { Sequelize } from 'sequelize';
import { SequelizeHandler } from './sequelize-handler.js';
import { observeModels } from './observed-hooks.js';

export interface SequelizeContentOptions extends SafeContentOptions {
  /** Whether each write runs in a transaction of its own. Default: it does not. */
  readonly transactions?: boolean;
}

/** The content handler over the models of a Sequelize instance; a record's table is its model's name. */
export function sequelizeContent(
  sequelize: Sequelize,
  { transactions = false, ...safe }: SequelizeContentOptions = {},
): SafeContentHandler {
  observeModels(sequelize);
  // The only place that builds a raw handler.
  return safeContentHandler((run) => new SequelizeHandler({ sequelize, transactions }, run), safe);
}
