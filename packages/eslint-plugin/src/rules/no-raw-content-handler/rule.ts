import { AST_NODE_TYPES, type TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { RAW_HANDLER_TYPE, SAFE_HANDLER_FACTORY, SDK_MODULE } from '@toolwright/sdk/contract-names';
import { namedModule } from '../../references/module-path.js';
import { packageNameOf } from '../../references/package-name.js';
import { isTestFile } from '../../references/test-files.js';
import { createRule } from '../../rule-creator.js';
import { typeInformation } from '../../types/type-information.js';
import { FactoriesForOthers } from './factories-for-others.js';
import { DEFAULT_CONTAINER_METHODS, OPTIONS_SCHEMA, type RawHandlerOptions } from './options.js';
import { RawHandlerCheck, type CollectedNodes, type RawHandlerMessageId } from './raw-handler-check.js';
import { RawHandlers, type NamedHandler } from './raw-handlers.js';
import { SafeFactories } from './safe-factories.js';
import { TypedRawHandlers } from './typed-raw-handlers.js';

export const noRawContentHandler = createRule<[RawHandlerOptions?], RawHandlerMessageId>({
  name: 'no-raw-content-handler',
  meta: {
    type: 'problem',
    docs: {
      description: 'disallow raw content handlers outside the factory that is handed to safeContentHandler',
      recommended: 'error',
      usesTypes: true,
    },
    schema: OPTIONS_SCHEMA,
    defaultOptions: [{ handlers: [], containerMethods: [...DEFAULT_CONTAINER_METHODS], wrapperModules: [] }],
    messages: {
      constructed:
        'The raw content handler {{handler}} is constructed outside the factory that is handed to safeContentHandler. Construct it directly in that factory, or the next failing hook turns a landed write into an error.',
      madeByFactory:
        '{{handler}} makes a raw content handler outside the factory that is handed to safeContentHandler. Call it directly in that factory, or hand it over by reference.',
      lookedUp:
        '{{handler}} looks a raw content handler up. Look up what safeContentHandler returned instead, or do the look-up directly in its factory.',
      subclassed:
        'A subclass of the raw content handler {{handler}} is another raw handler under a new name. Implement RawContentHandler in a class of its own, or wrap the handler with safeContentHandler.',
      reExported:
        'The raw content handler {{handler}} is exported again, where this rule can follow it no further. Export what safeContentHandler returned instead.',
      injected:
        '{{handler}} receives a raw content handler. Inject what safeContentHandler returned instead.',
      used: 'A tool uses the raw content handler {{handler}}. Use the content handler of its context.',
      leaked:
        'The raw content handler {{handler}} is kept beyond the factory that is handed to safeContentHandler. Only return it.',
    },
  },
  create(context) {
    const options = context.options[0] ?? {};
    const named = (options.handlers ?? []).map(({ from, name }): NamedHandler => ({
      name,
      module: namedModule(from, context.cwd),
    }));
    const wrappers = (options.wrapperModules ?? []).map((from) => namedModule(from, context.cwd));
    const file = context.physicalFilename;
    if (isTestFile(file) || wrappers.some((wrapper) => wrapper.isFile(file))) {
      return {};
    }
    const types = typeInformation(context);
    const typed = types === null ? null : new TypedRawHandlers(types, named);
    const asksTypes = typed?.isWorthAsking() === true;
    const isMentioned = mentionsHandler(context.sourceCode.text, options);
    if (!asksTypes && !isMentioned) {
      return {};
    }
    // The SDK's own wrapper has to hold what it wraps.
    if (packageNameOf(file) === SDK_MODULE) {
      return {};
    }
    const nodes = emptyCollection();
    return {
      ...collectInto(nodes),
      'Program:exit'() {
        const { sourceCode } = context;
        const factories = new SafeFactories(
          sourceCode,
          file,
          wrappers,
          asksTypes ? types : null,
          nodes.calls,
        );
        const handlers = new RawHandlers(sourceCode, file, named);
        if (isMentioned) {
          for (const factory of factories.handed) {
            handlers.addHandedFactory(factory);
          }
        }
        const check = new RawHandlerCheck({
          sourceCode,
          handlers,
          typed: asksTypes ? typed : null,
          factories,
          forOthers: new FactoriesForOthers(sourceCode, types),
          containerMethods: new Set(options.containerMethods ?? DEFAULT_CONTAINER_METHODS),
        });
        for (const { node, messageId, handler } of check.run(nodes)) {
          context.report({ node, messageId, data: { handler } });
        }
      },
    };
  },
});

/** Whether the text can hold anything for the form without types, so that most files cost one search. */
function mentionsHandler(text: string, options: RawHandlerOptions): boolean {
  return (
    text.includes(RAW_HANDLER_TYPE) ||
    text.includes(SAFE_HANDLER_FACTORY) ||
    (options.handlers ?? []).some(
      ({ from, name }) => text.includes(name) || text.includes(lastSegment(from)),
    ) ||
    (options.wrapperModules ?? []).some((from) => text.includes(lastSegment(from)))
  );
}

function lastSegment(from: string): string {
  return (
    from
      .replace(/\.[cm]?[jt]sx?$/u, '')
      .replace(/\/index$/u, '')
      .split('/')
      .at(-1) ?? from
  );
}

function emptyCollection(): CollectedNodes {
  return {
    calls: [],
    news: [],
    classes: [],
    casts: [],
    declarators: [],
    assignments: [],
    objects: [],
    exports: [],
  };
}

function collectInto(nodes: CollectedNodes): TSESLint.RuleListener {
  const cast = (
    node: TSESTree.TSAsExpression | TSESTree.TSSatisfiesExpression | TSESTree.TSTypeAssertion,
  ): void => {
    nodes.casts.push(node);
  };
  const exported = (node: CollectedNodes['exports'][number]): void => {
    nodes.exports.push(node);
  };
  return {
    CallExpression: (node) => void nodes.calls.push(node),
    NewExpression: (node) => void nodes.news.push(node),
    ClassDeclaration: (node) => void nodes.classes.push(node),
    ClassExpression: (node) => void nodes.classes.push(node),
    TSAsExpression: cast,
    TSSatisfiesExpression: cast,
    TSTypeAssertion: cast,
    VariableDeclarator: (node) => void nodes.declarators.push(node),
    AssignmentExpression: (node) => void nodes.assignments.push(node),
    ObjectExpression(node) {
      if (node.parent.type === AST_NODE_TYPES.ReturnStatement || isArrowBody(node)) {
        nodes.objects.push(node);
      }
    },
    ExportNamedDeclaration: exported,
    ExportDefaultDeclaration: exported,
    ExportAllDeclaration: exported,
  };
}

function isArrowBody(node: TSESTree.ObjectExpression): boolean {
  return node.parent.type === AST_NODE_TYPES.ArrowFunctionExpression && node.parent.body === node;
}
