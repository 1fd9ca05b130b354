import { ts } from '../../engine/typescript.mjs';
import { describe, expect, it } from 'vitest';
import { withDefaultsOf } from './compiler-defaults.js';

/* eslint-disable @typescript-eslint/no-deprecated -- what TypeScript 5 did is what is tested */
const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;

describe('the defaults of TypeScript 5', () => {
  it('take in all ambient types, and are not strict, when nothing is said', () => {
    expect(withDefaultsOf(5, {})).toMatchObject({
      target: ScriptTarget.ES5,
      module: ModuleKind.CommonJS,
      moduleResolution: ModuleResolutionKind.Node10,
      esModuleInterop: false,
      allowSyntheticDefaultImports: false,
      strict: false,
      alwaysStrict: false,
      types: ['*'],
    });
  });

  it('follow the module kind when that is said', () => {
    expect(withDefaultsOf(5, { module: ModuleKind.NodeNext })).toMatchObject({
      target: ScriptTarget.ESNext,
      moduleResolution: ModuleResolutionKind.NodeNext,
      esModuleInterop: true,
    });
    expect(withDefaultsOf(5, { module: ModuleKind.Node16 })).toMatchObject({
      target: ScriptTarget.ES2022,
      moduleResolution: ModuleResolutionKind.Node16,
    });
    expect(withDefaultsOf(5, { target: ScriptTarget.ES2020 })).toMatchObject({
      module: ModuleKind.ES2015,
      moduleResolution: ModuleResolutionKind.Bundler,
      allowSyntheticDefaultImports: true,
    });
  });

  it('leave what is said as it is', () => {
    const said = { strict: true, types: [], moduleResolution: ModuleResolutionKind.Bundler };
    expect(withDefaultsOf(5, said)).toMatchObject(said);
    expect(withDefaultsOf(5, { strict: true }).alwaysStrict).toBe(true);
  });
});

describe('the defaults of TypeScript 6', () => {
  it('are those of the bundled compiler when nothing is said', () => {
    expect(withDefaultsOf(6, {})).toEqual({});
  });
});
