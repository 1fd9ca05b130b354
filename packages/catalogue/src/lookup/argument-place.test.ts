import { describe, expect, it } from 'vitest';

import { abstractOf, constant, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';
import { callbackIndices, findArgument } from './argument-place.js';

const nothingCarried = () => null;
const find = (places: string, ...args: AbstractValue[]) =>
  findArgument(places, { arguments: args }, nothingCarried);

describe('findArgument', () => {
  it('descends into objects, arrays and JSON', () => {
    expect(find('0.a.b', abstractOf({ a: { b: 1 } })).value).toEqual(constant(1));
    expect(find('0.1', abstractOf(['a', 'b'])).value).toEqual(constant('b'));
    expect(find('0.a', { kind: 'json', value: abstractOf({ a: 2 }) }).value).toEqual(constant(2));
  });

  it('is absent when a closed object has no such property, unknown when an open one has none', () => {
    expect(find('0.a', abstractOf({})).value).toEqual(constant(undefined));
    expect(find('0.a', { kind: 'object', properties: {}, isOpen: true }).value).toEqual(UNKNOWN);
    expect(find('1').value).toEqual(constant(undefined));
  });

  it('takes the first place that holds something', () => {
    expect(find('1.a 0.a', abstractOf({ a: 'x' }))).toEqual({ value: constant('x'), place: '0.a' });
    expect(find('0.a 1.a', abstractOf({ a: 'x' }), abstractOf({ a: 'y' })).value).toEqual(constant('x'));
  });

  it('passes over an optional place that can not be seen, and stops at another one', () => {
    expect(find('0.a? 1', UNKNOWN, constant('b')).value).toEqual(constant('b'));
    expect(find('0.a 1', UNKNOWN, constant('b')).value).toEqual(UNKNOWN);
  });

  it('names the place within the tool’s input', () => {
    expect(find('0.body.title', { kind: 'input', path: 'request' }).value).toEqual({
      kind: 'input',
      path: 'request.body.title',
    });
  });

  it('finds the last, the remaining, the receiver’s and a chained argument', () => {
    const call = {
      arguments: [constant('a'), constant('b')],
      receiver: { kind: 'made', module: 'm', path: ['f'], arguments: [constant('r')] } as const,
      chain: [{ name: 'set', arguments: [constant('c')] }],
    };
    expect(findArgument('last', call, nothingCarried).value).toEqual(constant('b'));
    expect(findArgument('rest:1', call, nothingCarried).value).toEqual(abstractOf(['b']));
    expect(findArgument('receiver:0', call, nothingCarried).value).toEqual(constant('r'));
    expect(findArgument('chain:set:0', call, nothingCarried).value).toEqual(constant('c'));
    expect(findArgument('chain:other:0', call, nothingCarried).value).toEqual(constant(undefined));
    expect(findArgument('chain:set:0', { arguments: [] }, nothingCarried).value).toEqual(UNKNOWN);
  });
});

describe('callbackIndices', () => {
  it.each([
    ['0', 3, [0]],
    ['last', 3, [2]],
    ['rest:1', 3, [1, 2]],
    ['functions', 2, [0, 1]],
    ['0 last', 3, [0, 2]],
    ['2', 1, []],
    ['last', 0, []],
  ] as const)('%s of %d', (places, count, indices) => {
    expect(callbackIndices(places, count)).toEqual(indices);
  });
});
