import type { EffectCondition } from '@toolwright/catalogue';
import type { PathCondition } from '../interpret/path-conditions.js';

export interface Circumstance {
  readonly conditions: readonly PathCondition[];
  /** What the call itself depends on. */
  readonly own: EffectCondition | null;
}

const MOST_VALUES = 6;

/** "`operation` is `set` or `delete`"; empty where one of the ways needs nothing. */
export function whenText(all: readonly Circumstance[]): string {
  const ways = all.map(({ conditions, own }) => ({
    conditions: conditions.filter(({ input }) => input !== null),
    own,
  }));
  const texts = ways.map(({ conditions, own }) =>
    [...conditions.map(pathText), ...(own === null ? [] : [ownText(own)])].join(' and '),
  );
  if (texts.includes('')) {
    return '';
  }
  return together(ways) ?? [...new Set(texts)].slice(0, MOST_VALUES).join(', or ');
}

/** Ways that differ only in the value of one argument. */
function together(ways: readonly Circumstance[]): string | null {
  const input = ways[0]?.conditions[0]?.input;
  const isOneArgument = ways.every(({ conditions: [only, ...more], own }) => {
    const isValue = only?.input === input && only?.isNegated === false && only.value !== null;
    return own === null && more.length === 0 && isValue;
  });
  if (input === undefined || input === null || !isOneArgument) {
    return null;
  }
  const values = [...new Set(ways.map(({ conditions: [only] }) => `\`${only?.value ?? ''}\``))];
  return `\`${input}\` is ${values.slice(0, MOST_VALUES).join(' or ')}`;
}

function pathText({ input, isNegated, value }: PathCondition): string {
  if (value === null) {
    return `\`${input ?? ''}\` is ${isNegated ? 'not ' : ''}set`;
  }
  return `\`${input ?? ''}\` is ${isNegated ? 'not ' : ''}\`${value}\``;
}

function ownText({ text }: EffectCondition): string {
  return text.replace(/^can write when /u, '');
}
