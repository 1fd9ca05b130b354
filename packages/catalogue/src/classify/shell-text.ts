import { forEachChild, parse, type SyntaxNode, type Word } from 'unbash';

import { constant, textPartsOf, UNKNOWN, type AbstractValue } from '../model/abstract-value.js';

/** What a shell text runs: every simple command in it, in substitutions and branches too. */
export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  readonly redirects: readonly ShellRedirect[];
}

export interface ShellCommand {
  /** Null where the name comes from an expansion or a hole. */
  readonly name: string | null;
  readonly arguments: readonly AbstractValue[];
  readonly isOpen: boolean;
}

export interface ShellRedirect {
  readonly target: AbstractValue;
  readonly isAppending: boolean;
}

const HOLE = 'toolwright_hole';

/** Shell builtins that touch the shell alone. POSIX.1-2024, XCU 1.6 and 2.15; Bash manual 4. */
const SHELL_BUILTINS = new Set(
  ': . [ [[ alias bg break cd command continue declare dirs disown echo enable exit export false fc fg getopts hash help history jobs let local logout popd printf pushd pwd read readonly return set shift shopt suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);

const WRITING_REDIRECTS = new Set(['>', '>>', '>|', '&>', '&>>', '<>']);

/** Reads shell text; null when it is not text, wholly unknown, or doesn't parse. */
export function readShell(text: AbstractValue): ShellScript | null {
  const parts = textPartsOf(text);
  if (parts === null || parts.every((part) => part.trim() === '')) return null;
  const source = parts.join(HOLE);
  const commands: ShellCommand[] = [];
  const redirects: ShellRedirect[] = [];
  const functions = new Set<string>();
  const errors: unknown[] = [];

  const visit = (node: SyntaxNode): void => {
    if ('errors' in node && Array.isArray(node.errors)) errors.push(...(node.errors as unknown[]));
    if (node.type === 'Function')
      functions.add(/^(?:function\s+)?([\w-]+)/.exec(source.slice(node.pos, node.end))?.[1] ?? '');
    if (node.type === 'Command' && node.name !== undefined) {
      const { value: name } = node.name;
      const isKnown = !name.includes(HOLE) && !isExpanded(node.name);
      const args = node.args.map((argument) =>
        argument.type === 'Word' ? valueOf(argument) : constant(argument.text),
      );
      const isSourcing = name === '.' || name === 'source' || name === 'eval';
      if (isSourcing || !isKnown || !SHELL_BUILTINS.has(name)) {
        commands.push({ name: isKnown && !isSourcing ? name : null, arguments: args, isOpen: false });
      }
    }
    if (node.type === 'Redirect' && WRITING_REDIRECTS.has(node.operator) && node.target !== undefined) {
      redirects.push({ target: valueOf(node.target), isAppending: node.operator.includes('>>') });
    }
    forEachChild(node, visit);
  };
  visit(parse(source));
  if (errors.length > 0) return null;
  return {
    commands: commands.filter(({ name }) => name === null || !functions.has(name)),
    redirects,
  };
}

/** Whether the shell decides at run time what a word is. */
function isExpanded(word: Word): boolean {
  return (word.parts ?? []).some((part) => {
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') {
      return part.parts.some(({ type }) => type.endsWith('Expansion'));
    }
    return part.type.endsWith('Expansion');
  });
}

function valueOf(word: Word): AbstractValue {
  if (isExpanded(word)) {
    const head = /^[^$`]*/.exec(word.value)?.[0] ?? '';
    return { kind: 'template', parts: [constant(head), UNKNOWN] };
  }
  if (!word.value.includes(HOLE)) return constant(word.value);
  const literals = word.value.split(HOLE);
  return {
    kind: 'template',
    parts: literals.flatMap((literal, index) =>
      index === 0 ? [constant(literal)] : [UNKNOWN, constant(literal)],
    ),
  };
}
