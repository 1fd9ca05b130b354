export { usersOf, type ActingUser, type FindActingUser } from './acting-user.js';
export { GLOBALS_TABLE } from './entity.js';
export { PayloadBindingError, type PayloadBindingErrorCode } from './errors.js';
export { payloadHistory, type PayloadHistoryOptions } from './history/payload-history.js';
export { toolwrightHistory } from './history/toolwright-history.js';
export { payloadContent, type PayloadContentOptions } from './payload-content.js';
export type {
  PayloadCreateOptions,
  PayloadDeleteOptions,
  PayloadReadOptions,
  PayloadUpdateOptions,
} from './write/write-options.js';
