import type { Payload } from 'payload';
import { watchAdapter } from './adapter-writes.js';
import { observeInstalledCode } from './installed-code.js';

const observed = new WeakSet();

/**
 * Observes a Payload, once. Only what runs inside of a tool's run is treated otherwise than before;
 * the admin interface, the APIs and the installation's own scripts are not.
 *
 * @throws PayloadBindingError with code `UNSUPPORTED_PAYLOAD`
 */
export function observePayload(payload: Payload): void {
  const { db, config } = payload;
  if (!observed.has(db)) {
    watchAdapter(db);
    observed.add(db);
  }
  if (!observed.has(config)) {
    observeInstalledCode(payload);
    observed.add(config);
  }
}
