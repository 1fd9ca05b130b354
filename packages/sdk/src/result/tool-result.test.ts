import { describe, expect, it } from 'vitest';
import { SdkError } from '../errors.js';
import { WriteTarget } from '../target/write-target.js';
import { ToolResult, type ToolResultKind } from './tool-result.js';

const target = WriteTarget.of('pages', 1);
const artifacts = [{ type: 'rows', data: [1, 2] }];

const RESULTS: readonly (readonly [string, ToolResult, Partial<ToolResult>])[] = [
  ['text', ToolResult.text('x'), { kind: 'text', isError: false, target: null, artifacts: [] }],
  ['text with artifacts', ToolResult.text('x', { artifacts }), { kind: 'text', artifacts }],
  ['wrote', ToolResult.wrote(target, 'x'), { kind: 'wrote', isError: false, target, artifacts: [] }],
  [
    'wrote with artifacts',
    ToolResult.wrote(target, 'x', { artifacts }),
    { kind: 'wrote', isError: false, target, artifacts },
  ],
  ['unchanged', ToolResult.unchanged('x'), { kind: 'unchanged', isError: false, target: null }],
  ['refused', ToolResult.refused('x'), { kind: 'refused', isError: true, target: null, artifacts: [] }],
  ['error', ToolResult.error('x'), { kind: 'error', isError: true, target: null, artifacts: [] }],
  ['error with a target', ToolResult.error('x', { target }), { kind: 'error', isError: true, target }],
];

function codeOf(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error instanceof SdkError ? error.code : error;
  }
  return 'nothing thrown';
}

describe('a tool result', () => {
  it.each(RESULTS)('has the fields of its kind: %s', (_name, result, fields) => {
    expect(result).toMatchObject({ content: 'x', ...fields });
    expect(Object.keys(result).sort()).toEqual(['artifacts', 'content', 'isError', 'kind', 'target']);
  });

  it.each(RESULTS)('is frozen, with its artifacts: %s', (_name, result) => {
    expect(Object.isFrozen(result)).toBe(true);
    expect(Object.isFrozen(result.artifacts)).toBe(true);
    expect(result.artifacts.every((artifact) => Object.isFrozen(artifact))).toBe(true);
  });

  it.each(RESULTS)('has no words of its own that could reach a model: %s', (_name, result) => {
    for (const method of ['toString', 'toJSON', Symbol.toPrimitive, Symbol.toStringTag]) {
      for (let object: object = result; object !== Object.prototype;) {
        expect(Object.getOwnPropertyDescriptor(object, method)).toBeUndefined();
        object = Object.getPrototypeOf(object) as object;
      }
    }
  });

  it.each(RESULTS)('keeps every other field when its content is replaced: %s', (_name, result) => {
    const rebuilt = result.withContent('y');
    expect({ ...rebuilt }).toEqual({ ...result, content: 'y' });
    expect(rebuilt.target).toBe(result.target);
    expect(ToolResult.is(rebuilt)).toBe(true);
    expect(Object.isFrozen(rebuilt)).toBe(true);
    expect('withArtifacts' in rebuilt).toBe('withArtifacts' in result);
    expect(result.content).toBe('x');
  });

  it.each([
    ['text', ToolResult.text('x', { artifacts })],
    ['wrote', ToolResult.wrote(target, 'x', { artifacts })],
  ] as const)('keeps every other field when its artifacts are replaced: %s', (_name, result) => {
    const other = [{ type: 'other', data: null }];
    expect({ ...result.withArtifacts(other) }).toEqual({ ...result, artifacts: other });
    expect({ ...result.withArtifacts([]) }).toEqual({ ...result, artifacts: [] });
  });

  it.each([
    ['unchanged', ToolResult.unchanged('x')],
    ['refused', ToolResult.refused('x')],
    ['error', ToolResult.error('x', { target })],
  ])('offers no way to add artifacts: %s', (_name, result) => {
    expect('withArtifacts' in result).toBe(false);
  });

  it('is cut off from the arrays and objects that it was made of', () => {
    const given = [{ type: 'rows', data: 1 }];
    const result = ToolResult.text('x', { artifacts: given });
    given[0]!.type = 'changed';
    given.push({ type: 'more', data: 2 });
    expect(result.artifacts).toEqual([{ type: 'rows', data: 1 }]);
  });

  it('is known from what looks like one', () => {
    const result = ToolResult.text('x');
    expect(ToolResult.is(result)).toBe(true);
    for (const other of [
      { ...result },
      Object.create(result),
      JSON.parse(JSON.stringify(result)),
      null,
      'x',
    ]) {
      expect(ToolResult.is(other)).toBe(false);
    }
  });

  it.each<[string, () => unknown]>([
    ['no content', () => ToolResult.text(undefined as unknown as string)],
    ['content that is no text', () => ToolResult.refused({ message: 'x' } as unknown as string)],
    ['a rebuilt content that is no text', () => ToolResult.text('x').withContent(7 as unknown as string)],
    ['a literal target', () => ToolResult.wrote(JSON.parse(JSON.stringify(target)) as WriteTarget, 'x')],
    ['no target', () => ToolResult.wrote(undefined as unknown as WriteTarget, 'x')],
    ['an error whose target is missing', () => ToolResult.error('x', { target: undefined as never })],
    ['artifacts that are no list', () => ToolResult.text('x', { artifacts: {} as never })],
    ['an artifact without a type', () => ToolResult.text('x', { artifacts: [{ data: 1 }] as never })],
    ['an artifact that is null', () => ToolResult.text('x', { artifacts: [null] as never })],
  ])('is refused for %s', (_what, make) => {
    expect(codeOf(make)).toBe('INVALID_TOOL_RESULT');
  });

  it.each<[ToolResultKind, Partial<ToolResult>]>([
    ['text', { target }],
    ['wrote', { target: null }],
    ['unchanged', { target }],
    ['refused', { target }],
    ['error', { artifacts }],
    ['refused', { artifacts }],
  ])('cannot be made against its kind through another result: %s %j', (kind, change) => {
    const Constructor = ToolResult.text('x').constructor as new (fields: object) => unknown;
    const fields = { kind, content: 'x', artifacts: [], target: kind === 'wrote' ? target : null, ...change };
    expect(codeOf(() => new Constructor(fields))).toBe('INVALID_TOOL_RESULT');
  });

  it('has factories that cannot be replaced', () => {
    expect(Object.isFrozen(ToolResult)).toBe(true);
  });
});
