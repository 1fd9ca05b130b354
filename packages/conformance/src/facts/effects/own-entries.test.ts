import { describe, expect, it } from 'vitest';
import { checkFixture, verdictsOf } from '../../testing/check-fixture.js';

const TOOL = `import { defineTool, ToolResult } from '@toolwright/sdk';
import { Client } from '@acme/crm';
const client = new Client();
export const list = defineTool({
  name: 'list',
  async execute() {
    return ToolResult.text(await client.contacts.dispatch('all'));
  },
});
`;
const ENTRY = {
  module: '@acme/crm',
  member: 'Client.new().*.dispatch',
  effect: 'none',
  kind: 'read',
  reason: 'our readers go through dispatch',
} as const;

describe("a project's own entry", () => {
  it('decides what a call does, and is printed as assumed, when it says less than the catalogue', () => {
    const before = checkFixture(TOOL, { rules: ['effect-matches-code'] });
    expect(verdictsOf(before, 'effect-matches-code')).toMatchObject([{ verdict: 'inconclusive' }]);
    expect(before.unresolved).toMatchObject([{ callee: 'client.contacts.dispatch', toolIds: ['.#list'] }]);

    const after = checkFixture(TOOL, { rules: ['effect-matches-code'], config: { effects: [ENTRY] } });
    expect(verdictsOf(after, 'effect-matches-code')).toMatchObject([{ verdict: 'proven' }]);
    expect(after.unresolved).toEqual([]);
    expect(after.assumptions).toContain(
      "What a call writes is taken as configured: `client.contacts.dispatch`: the project's configuration: our readers go through dispatch.",
    );
  });
});
