import type { Access, PayloadRequest } from 'payload';

type Role = 'editor' | 'chief';

function roleOf({ user }: PayloadRequest): Role | null {
  return (user as { readonly role?: Role } | null)?.role ?? null;
}

/** Editors see and change what is theirs, chiefs everything, and everybody reads what is published. */
export const readPages: Access = ({ req }) => {
  switch (roleOf(req)) {
    case 'chief':
      return true;
    case 'editor':
      return { or: [{ _status: { equals: 'published' } }, { owner: { equals: req.user?.id } }] };
    case null:
      return { _status: { equals: 'published' } };
  }
};

export const changeOwnPages: Access = ({ req }) => {
  switch (roleOf(req)) {
    case 'chief':
      return true;
    case 'editor':
      return { owner: { equals: req.user?.id } };
    case null:
      return false;
  }
};

export const staffOnly: Access = ({ req }) => roleOf(req) !== null;
export const chiefsOnly: Access = ({ req }) => roleOf(req) === 'chief';
