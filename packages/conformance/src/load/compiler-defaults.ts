import { ts } from '../../engine/typescript.mjs';

const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;

// TypeScript 6 deprecates these; projects made for 5 have them, or had them by default.
/* eslint-disable @typescript-eslint/no-deprecated */
const MODULE_SYSTEM = ModuleKind.System;
const TARGET_ES5 = ScriptTarget.ES5;
const RESOLUTION_NODE10 = ModuleResolutionKind.Node10;
/* eslint-enable @typescript-eslint/no-deprecated */

/**
 * Fills in what a configuration leaves out as the project's own TypeScript would, because the bundled
 * one changed its defaults: without this, a project made for TypeScript 5 loses its ambient types,
 * and every call of `fs` with them.
 *
 * Source: the tables of computed options in TypeScript 5.9 and 6.0.
 */
export function withDefaultsOf(typeScriptMajor: number, options: ts.CompilerOptions): ts.CompilerOptions {
  return typeScriptMajor <= 5 ? withDefaultsOfTypeScript5(options) : options;
}

function withDefaultsOfTypeScript5(given: ts.CompilerOptions): ts.CompilerOptions {
  const target = given.target ?? defaultTarget5(given.module);
  const module = given.module ?? (target >= ScriptTarget.ES2015 ? ModuleKind.ES2015 : ModuleKind.CommonJS);
  const isNodeModule = module >= ModuleKind.Node16 && module <= ModuleKind.NodeNext;
  const moduleResolution = given.moduleResolution ?? defaultResolution5(module);
  const esModuleInterop = given.esModuleInterop ?? (isNodeModule || module === ModuleKind.Preserve);
  return {
    ...given,
    target,
    module,
    moduleResolution,
    esModuleInterop,
    allowSyntheticDefaultImports:
      given.allowSyntheticDefaultImports ??
      (esModuleInterop || module === MODULE_SYSTEM || moduleResolution === ModuleResolutionKind.Bundler),
    strict: given.strict ?? false,
    alwaysStrict: given.alwaysStrict ?? given.strict ?? false,
    types: given.types ?? ['*'],
    libReplacement: given.libReplacement ?? true,
  };
}

function defaultTarget5(module: ts.ModuleKind | undefined): ts.ScriptTarget {
  switch (module) {
    case ModuleKind.Node16:
    case ModuleKind.Node18:
      return ScriptTarget.ES2022;
    case ModuleKind.Node20:
      return ScriptTarget.ES2023;
    case ModuleKind.NodeNext:
      return ScriptTarget.ESNext;
    default:
      return TARGET_ES5;
  }
}

function defaultResolution5(module: ts.ModuleKind): ts.ModuleResolutionKind {
  switch (module) {
    case ModuleKind.CommonJS:
      return RESOLUTION_NODE10;
    case ModuleKind.Node16:
    case ModuleKind.Node18:
    case ModuleKind.Node20:
      return ModuleResolutionKind.Node16;
    case ModuleKind.NodeNext:
      return ModuleResolutionKind.NodeNext;
    default:
      // TypeScript 5 fell back to its classic resolution here, which finds no package at all; a
      // bundler then found them. What the bundler finds is what runs.
      return ModuleResolutionKind.Bundler;
  }
}

/** For code without a configuration: plain JavaScript, or loose TypeScript files. */
export const OPTIONS_WITHOUT_CONFIG: ts.CompilerOptions = {
  target: ScriptTarget.ES2022,
  module: ModuleKind.ESNext,
  moduleResolution: ModuleResolutionKind.Bundler,
  allowJs: true,
  checkJs: false,
  strict: true,
  esModuleInterop: true,
  types: ['*'],
};

/** What a base configuration that is not installed most likely says, where the project itself says nothing. */
export function withDefaultsForMissingBase(given: ts.CompilerOptions): ts.CompilerOptions {
  const module = given.module ?? ModuleKind.ESNext;
  const isNodeModule = module >= ModuleKind.Node16 && module <= ModuleKind.NodeNext;
  return {
    target: ScriptTarget.ES2022,
    strict: true,
    esModuleInterop: true,
    jsx: ts.JsxEmit.ReactJSX,
    types: ['*'],
    ...given,
    module,
    ...(given.moduleResolution === undefined && !isNodeModule
      ? { moduleResolution: ModuleResolutionKind.Bundler }
      : {}),
  };
}

/** Nothing is written, and nothing is diagnosed: options that only matter to a build are switched off. */
export function forAnalysis(options: ts.CompilerOptions): ts.CompilerOptions {
  return {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
    declaration: false,
    declarationMap: false,
    emitDeclarationOnly: false,
    skipLibCheck: true,
    skipDefaultLibCheck: true,
    // Where an effect is read from a JSON file, the file is there to be named.
    resolveJsonModule: true,
    ignoreDeprecations: '6.0',
  };
}
