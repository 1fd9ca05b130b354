export { usersOf, type ActingUser, type FindActingUser } from './acting-user.js';
export { GLOBALS_TABLE } from './entity.js';
export { PayloadBindingError, type PayloadBindingErrorCode } from './errors.js';
export { payloadContent, type PayloadContentOptions } from './payload-content.js';
export type {
  PayloadCreateOptions,
  PayloadDeleteOptions,
  PayloadReadOptions,
  PayloadUpdateOptions,
} from './write/write-options.js';
