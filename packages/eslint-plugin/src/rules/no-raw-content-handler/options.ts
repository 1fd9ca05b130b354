import type { JSONSchema } from '@typescript-eslint/utils';

export interface RawHandlerOptions {
  /** Further raw handlers: classes, or functions that make one. */
  readonly handlers?: readonly { readonly from: string; readonly name: string }[];
  /** Methods and functions that look something up in a container; they replace the default list. */
  readonly containerMethods?: readonly string[];
  /** Modules whose functions take a factory and wrap what it builds, as `safeContentHandler` does. */
  readonly wrapperModules?: readonly string[];
}

export const DEFAULT_CONTAINER_METHODS: readonly string[] = [
  'get',
  'getAsync',
  'getInstance',
  'inject',
  'instantiate',
  'lookup',
  'make',
  'makeInstance',
  'resolve',
  'resolveAsync',
];

export const OPTIONS_SCHEMA: readonly [JSONSchema.JSONSchema4] = [
  {
    type: 'object',
    additionalProperties: false,
    properties: {
      handlers: {
        description: 'Further raw handlers: classes, or functions that make one.',
        type: 'array',
        uniqueItems: true,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['from', 'name'],
          properties: {
            from: {
              description:
                'The module that exports it: a package, or a path that starts with "." and is relative to the folder in which ESLint runs.',
              type: 'string',
              minLength: 1,
            },
            name: { description: 'The name under which it is exported.', type: 'string', minLength: 1 },
          },
        },
      },
      containerMethods: {
        description:
          'Methods and functions that look something up in a container. Replaces the default list.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
      },
      wrapperModules: {
        description:
          'Modules whose functions take a factory and wrap what it builds, as safeContentHandler does. A path starts with "." and is relative to the folder in which ESLint runs; such a file may also use raw handlers itself.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', minLength: 1 },
      },
    },
  },
];
