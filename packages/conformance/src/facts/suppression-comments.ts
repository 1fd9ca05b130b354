import { ts } from '../../engine/typescript.mjs';
import type { LoadedProject } from '../load/loaded-project.js';
import type { SuppressionComment } from '../model/suppression.js';

const MARKER = 'toolwright-ignore';

/** Finds comments of the form `toolwright-ignore rule-id -- reason` in the checked files. */
export function collectSuppressionComments(project: LoadedProject): readonly SuppressionComment[] {
  return project.sourceFiles.flatMap((file) => commentsIn(project, file));
}

function commentsIn(project: LoadedProject, file: ts.SourceFile): readonly SuppressionComment[] {
  const found: SuppressionComment[] = [];
  const { text } = file;
  for (let at = text.indexOf(MARKER); at >= 0; at = text.indexOf(MARKER, at + MARKER.length)) {
    // A string that says so suppresses nothing, and neither does a longer word.
    if (isInComment(file, at) && !/[\w-]/u.test(text[at + MARKER.length] ?? ' ')) {
      found.push(parseComment(project, file, at));
    }
  }
  return found;
}

function parseComment(project: LoadedProject, file: ts.SourceFile, at: number): SuppressionComment {
  const { text } = file;
  const { line, character } = file.getLineAndCharacterOfPosition(at);
  const starts = file.getLineStarts();
  const lineStart = starts[line] ?? 0;
  const lineEnd = starts[line + 1] ?? text.length;
  const body = text
    .slice(at + MARKER.length, lineEnd)
    .replace(/\*\/.*$/su, '')
    .trim();
  const separator = /(^|\s)--(\s|$)/u.exec(body);
  const written = separator === null ? body : body.slice(0, separator.index);
  const reason = separator === null ? '' : body.slice(separator.index + separator[0].length).trim();
  const hasCodeBefore = !/^[\s/*{]*$/u.test(text.slice(lineStart, at));
  return {
    rules: written.split(/[\s,]+/u).filter((rule) => rule !== ''),
    reason,
    location: { file: project.relative(file.fileName), line: line + 1, column: character + 1 },
    line: hasCodeBefore ? line + 1 : nextCodeLine(file, lineEnd),
  };
}

/** The 1-based line of the first token at or after a position. */
function nextCodeLine(file: ts.SourceFile, from: number): number {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, file.languageVariant, file.text);
  let position = from;
  // Inside a block comment of several lines the rest of it is not code.
  const close = file.text.indexOf('*/', from);
  if (
    isInComment(file, from) &&
    close >= 0 &&
    file.text.lastIndexOf('/*', from) > file.text.lastIndexOf('*/', from - 1)
  ) {
    position = close + 2;
  }
  scanner.resetTokenState(position);
  scanner.scan();
  return file.getLineAndCharacterOfPosition(scanner.getTokenStart()).line + 1;
}

/** Whether a position lies between tokens, which is where comments are. */
function isInComment(file: ts.SourceFile, position: number): boolean {
  let node: ts.Node = file;
  for (;;) {
    const child: ts.Node | undefined = ts.forEachChild(node, (one) =>
      one.pos <= position && position < one.end ? one : undefined,
    );
    if (child === undefined) {
      // Only punctuation, keywords and comments are left: or the text of a literal.
      return node === file || !isText(node) || position < node.getStart(file);
    }
    if (position < child.getStart(file)) {
      return true;
    }
    node = child;
  }
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateLiteralToken(node) ||
    node.kind === ts.SyntaxKind.RegularExpressionLiteral ||
    ts.isJsxText(node) ||
    ts.isIdentifier(node)
  );
}
