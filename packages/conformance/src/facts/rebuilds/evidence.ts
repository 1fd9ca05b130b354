import { ts } from '../../../engine/typescript.mjs';
import { CONTRACT_NAMES_MODULE, SDK_MODULE } from '@toolwright/sdk/contract-names';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { CheckerQueries } from '../queries/checker-queries.js';
import type { Answer } from '../queries/type-queries.js';

const MCP_IMPORT = /(?:from|import|require)\s*\(?\s*['"]@modelcontextprotocol\//u;
const DEEPEST_TYPE = 3;

/**
 * Whether code could handle preserved values, by the types of the expressions that look like it. Where
 * a type says nothing (`any`, a type parameter), it could.
 */
export class Evidence {
  readonly #queries: CheckerQueries;
  readonly #confirmed = new Map<ts.Node, boolean>();

  constructor(queries: CheckerQueries) {
    this.#queries = queries;
  }

  /** Whether a program has a preserved type at all: the SDK's, MCP's or one that is marked. */
  isPossible(project: LoadedProject): boolean {
    return (
      this.#queries.preservedTypes.markedNames.length > 0 ||
      project.ownFiles.some((file) => namesContract(file.text)) ||
      project.program.getSourceFiles().some((file) => isOfSdk(project, file))
    );
  }

  isConfirmed(node: ts.Node): boolean {
    let isConfirmed = this.#confirmed.get(node);
    if (isConfirmed === undefined) {
      isConfirmed = this.#confirm(node);
      this.#confirmed.set(node, isConfirmed);
    }
    return isConfirmed;
  }

  /** Whether a function is given preserved values, answers one, or has to do with a function that does. */
  isExchanging(node: ts.SignatureDeclaration): boolean {
    const answer = this.#queries.answerOfSignature(node);
    return answer === null || this.#isExchange(answer, !ts.isConstructorDeclaration(node), 0);
  }

  #isExchange(answer: Answer, isAnswerUsed: boolean, depth: number): boolean {
    const types = answer.parameters.map((parameter) => this.#queries.typeOfSymbol(parameter));
    return [...types, ...(isAnswerUsed ? [answer.type] : [])].some(
      (type) => this.#mayBe(type) || (depth === 0 && this.#isExchangedBy(type)),
    );
  }

  /** Of a function that is handed over. */
  #isExchangedBy(type: ts.Type): boolean {
    const answer = this.#queries.answerOfType(type, 0);
    return answer !== null && this.#isExchange(answer, true, 1);
  }

  #confirm(node: ts.Node): boolean {
    const { parent } = node;
    if (ts.isSpreadAssignment(node)) {
      return this.#hasType(node.expression);
    }
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      return this.#isExpected(node.parent);
    }
    if (
      (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) &&
      parent.name === node
    ) {
      return this.#isExpected(parent.parent);
    }
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
      return this.#hasType(parent.expression);
    }
    if (ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === node) {
      return this.#hasType(parent.parent);
    }
    if (ts.isCallExpression(parent) && parent.expression === node) {
      return parent.arguments.some((argument) => this.#hasType(argument));
    }
    return ts.isIdentifier(node) && this.#hasType(node);
  }

  #hasType(node: ts.Node): boolean {
    const type = this.#queries.typeOfNode(node);
    return type === null || this.#mayBe(type);
  }

  /** Whether an object literal stands where a preserved value could be expected. */
  #isExpected(literal: ts.ObjectLiteralExpression): boolean {
    const type = this.#queries.contextualType(literal);
    return type === null || this.#mayBe(type);
  }

  #mayBe(type: ts.Type, depth = 0): boolean {
    if (depth > DEEPEST_TYPE) {
      return true;
    }
    const shape = this.#queries.shapeOf(type);
    return (
      shape.isOpen ||
      shape.forms !== 0 ||
      shape.isTarget ||
      shape.preserved.length > 0 ||
      shape.promised.some((inner) => this.#mayBe(inner, depth + 1)) ||
      shape.arrays.some((list) => {
        const element = this.#queries.elementTypeOf(list);
        return element === null || this.#mayBe(element, depth + 1);
      })
    );
  }
}

/** Whether a text imports a package that has preserved types, installed or not. */
function namesContract(text: string): boolean {
  return (
    MCP_IMPORT.test(text) || text.split(SDK_MODULE).length - 1 > text.split(CONTRACT_NAMES_MODULE).length - 1
  );
}

function isOfSdk(project: LoadedProject, file: ts.SourceFile): boolean {
  return (
    project.packageNameOf(file.fileName) === SDK_MODULE &&
    !/\/contract-names\.(?:d\.)?ts$/u.test(file.fileName)
  );
}
