import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { FAULTY_TOOL, runCommand, SOUND_TOOL } from '../testing/run-command.js';

/** What SARIF 2.1.0 requires of the parts that are written. */
const SARIF = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  definitions: {
    message: {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string', minLength: 1 } },
      additionalProperties: false,
    },
    location: {
      type: 'object',
      required: ['physicalLocation'],
      additionalProperties: false,
      properties: {
        message: { $ref: '#/definitions/message' },
        physicalLocation: {
          type: 'object',
          required: ['artifactLocation', 'region'],
          additionalProperties: false,
          properties: {
            artifactLocation: {
              type: 'object',
              required: ['uri'],
              additionalProperties: false,
              properties: { uri: { type: 'string', pattern: '^[^\\\\ ]+$' } },
            },
            region: {
              type: 'object',
              required: ['startLine', 'startColumn'],
              additionalProperties: false,
              properties: {
                startLine: { type: 'integer', minimum: 1 },
                startColumn: { type: 'integer', minimum: 1 },
              },
            },
          },
        },
      },
    },
    locations: { type: 'array', minItems: 1, items: { $ref: '#/definitions/location' } },
    flow: {
      type: 'object',
      required: ['threadFlows'],
      properties: {
        threadFlows: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['locations'],
            properties: {
              locations: {
                type: 'array',
                minItems: 1,
                items: {
                  type: 'object',
                  required: ['location'],
                  properties: { location: { $ref: '#/definitions/location' } },
                },
              },
            },
          },
        },
      },
    },
    result: {
      type: 'object',
      required: ['ruleId', 'ruleIndex', 'level', 'message', 'locations', 'partialFingerprints'],
      properties: {
        ruleIndex: { type: 'integer', minimum: 0 },
        level: { enum: ['error', 'warning'] },
        message: { $ref: '#/definitions/message' },
        locations: { $ref: '#/definitions/locations' },
        codeFlows: { type: 'array', minItems: 1, items: { $ref: '#/definitions/flow' } },
        suppressions: {
          type: 'array',
          items: {
            type: 'object',
            required: ['kind'],
            properties: { kind: { enum: ['inSource', 'external'] }, justification: { type: 'string' } },
          },
        },
      },
    },
  },
  type: 'object',
  required: ['$schema', 'version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['tool', 'results', 'invocations'],
        properties: {
          tool: { type: 'object', required: ['driver'] },
          results: { type: 'array', items: { $ref: '#/definitions/result' } },
          invocations: {
            type: 'array',
            items: { type: 'object', required: ['executionSuccessful'] },
          },
        },
      },
    },
  },
};

const validate = new Ajv({ allErrors: true, strict: false }).compile(SARIF);

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly results: readonly (Readonly<Record<string, unknown>> & { readonly ruleIndex: number })[];
  readonly invocations: readonly Readonly<Record<string, unknown>>[];
}

function sarifRun(stdout: string): Run {
  const log = JSON.parse(stdout) as { readonly runs: readonly [Run] };
  expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
  return log.runs[0];
}

const duplicate = `${SOUND_TOOL}\nexport const again = defineTool({ name: 'save_page', execute() {} });\n`;
const ONE_RULE = ['--rule', 'tool-names-unique'];

describe('SARIF', () => {
  it('shows a witness path as a code flow when a finding has one', () => {
    const { code, stdout } = runCommand({ 'src/my tools.ts': duplicate }, ['--format', 'sarif', ...ONE_RULE]);
    expect(code).toBe(1);
    const { tool, results } = sarifRun(stdout);
    expect(results).toHaveLength(2);
    const [result] = results;
    expect(result).toMatchObject({
      ruleId: 'tool-names-unique',
      level: 'error',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'src/my%20tools.ts' }, region: { startLine: 4 } } },
      ],
      codeFlows: [{ threadFlows: [{ locations: [{}, {}] }] }],
      properties: { verdict: 'violated', confidence: 'proven', tool: 'save_page' },
    });
    expect(tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe('tool-names-unique');
  });

  it('keeps what is suppressed, with its reason', () => {
    const source = FAULTY_TOOL.replace(
      '  effect:',
      '  // toolwright-ignore effect-is-constant -- known\n  effect:',
    );
    const { stdout } = runCommand({ 'src/tools.ts': source }, [
      '--format',
      'sarif',
      '--rule',
      'effect-is-constant',
    ]);
    expect(sarifRun(stdout).results).toMatchObject([
      { suppressions: [{ kind: 'inSource', justification: 'known' }] },
    ]);
  });

  it('says that a run failed when it could not do its work', () => {
    const { code, stdout } = runCommand({}, ['--format', 'sarif', 'missing']);
    expect(code).toBe(2);
    expect(sarifRun(stdout)).toMatchObject({
      results: [],
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [{ descriptor: { id: 'NO_SUCH_PATH' }, level: 'error' }],
        },
      ],
    });
  });
});

describe('GitHub annotations', () => {
  it('point at the finding, and at nothing that the code says, when a name is a command', () => {
    const named = duplicate.replaceAll("'save_page'", String.raw`'::warning file=x,line=1::100%\ndone'`);
    const { code, stdout } = runCommand({ 'src/tools.ts': named }, ['--format', 'github', ...ONE_RULE]);
    expect(code).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^::error file=src\/tools\.ts,line=4,col=9,title=tool-names-unique%3A \\u\{3a\}%3Awarning file=x%2Cline=1%3A%3A100%25\\ndone::/u,
    );
    expect(lines[0]).toContain('%0A1. src/tools.ts:4:9 the name is given here');
    expect(lines[2]).toMatch(/^Summary: 1 file, 2 tools/u);
  });

  it('name files from the repository’s folder when the command runs below it', () => {
    const files = {
      'plugins/a/tsconfig.json': '{ "include": ["src"] }',
      'plugins/a/src/tools.ts': duplicate,
    };
    const { stdout } = runCommand(files, ['--format', 'github', ...ONE_RULE], {
      cwd: 'plugins/a',
      env: { GITHUB_WORKSPACE: '{fixture}' },
    });
    expect(stdout).toMatch(/^::error file=plugins\/a\/src\/tools\.ts,line=4/u);
  });

  it('are one error when the run could not do its work', () => {
    const { code, stdout } = runCommand({}, ['--format', 'github', 'missing']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^::error title=toolwright-conformance::missing does not exist\./u);
  });
});

describe('the text for people', () => {
  it('says what the code of a tool does when the tool declares nothing', () => {
    const { stdout } = runCommand(
      {
        'src/server.ts': `import { writeFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 'notes', version: '1.0.0' });
server.registerTool('save', { description: 'Saves.' }, async () => {
  await writeFile('/notes/one', 'text');
  return { content: [] };
});`,
      },
      [],
    );
    expect(stdout).toMatch(/save\s+\(declares nothing\)/u);
    expect(stdout).toMatch(/information +Nothing is declared\. The code writes \(local\): `writeFile`/u);
  });
});
