import { safeContentHandler, type SafeContentHandler, type SafeContentOptions } from '@toolwright/sdk';
import type { Payload } from 'payload';
import type { FindActingUser } from './acting-user.js';
import { observePayload } from './observe/observe-payload.js';
import { PayloadHandler } from './payload-handler.js';

export interface PayloadContentOptions extends SafeContentOptions {
  /**
   * The user that reads and writes are done as, with Payload's access control. There is no way to write
   * around it: a tool acts for somebody. See {@link usersOf}.
   */
  readonly actingUser: FindActingUser;
}

/**
 * The content handler for tools, over an initialised Payload. The table of a record is the slug of its
 * collection; a global is `globals:<slug>`.
 *
 * @throws PayloadBindingError with code `UNSUPPORTED_PAYLOAD`
 */
export function payloadContent(payload: Payload, options: PayloadContentOptions): SafeContentHandler {
  const { actingUser, ...safe } = options;
  observePayload(payload);
  // The only place that builds a raw handler.
  return safeContentHandler(async (run) => {
    // A reload of the configuration brings new lists and a new adapter.
    observePayload(payload);
    return new PayloadHandler(payload, run, await actingUser(run.actor));
  }, safe);
}
