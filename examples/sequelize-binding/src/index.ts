export { sequelizeContent, type SequelizeContentOptions } from './sequelize-content.js';
