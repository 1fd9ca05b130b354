import type { Actor } from '@toolwright/sdk';
import type { Payload, TypedUser } from 'payload';

/** The user that Payload's access control is asked about; null for somebody who is not logged in. */
export type ActingUser = TypedUser | null;

/** Says which user of Payload an actor is. A rejection means that the call's write is not started. */
export type FindActingUser = (actor: Actor) => ActingUser | Promise<ActingUser>;

/**
 * Takes an actor's id for the id of a record in a collection of users. An id that there is not is nobody,
 * who may do what everybody may.
 */
export function usersOf(payload: Payload, collection: string): FindActingUser {
  return async (actor) => {
    const user: unknown = await payload.findByID({
      collection,
      id: actor.id,
      depth: 0,
      disableErrors: true,
    });
    return user === null ? null : ({ ...(user as object), collection } as TypedUser);
  };
}
