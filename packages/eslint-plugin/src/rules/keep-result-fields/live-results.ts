import { AST_NODE_TYPES, TSESLint, type TSESTree } from '@typescript-eslint/utils';
import { kindsAt } from '../../contract/kind-guards.js';
import { declaredKinds, isFromOutside } from '../../contract/result-kinds.js';
import { kindsOfType, type PossibleKind } from '../../contract/typed-results.js';
import { contains, enclosingFunction, descendants } from '../../references/ast-shapes.js';
import type { TypeInformation } from '../../types/type-information.js';
import { isRead } from '../../contract/field-reads.js';

type Source = Readonly<TSESLint.SourceCode>;
type Variable = TSESLint.Scope.Variable;

/** A tool result that a place can see under a name. */
export interface LiveResult {
  readonly variable: Variable;
  /** The kinds that its declaration allows. */
  readonly declared: readonly PossibleKind[];
}

/** Finds the tool results that a place can see, and what is known of them there. */
export class LiveResults {
  readonly #source: Source;
  readonly #types: TypeInformation | null;
  readonly #byVariable = new Map<Variable, readonly PossibleKind[] | null>();

  constructor(source: Source, types: TypeInformation | null) {
    this.#source = source;
    this.#types = types;
  }

  /** The result that a variable holds at a place after its declaration; null for any other variable. */
  resultIn(variable: Variable, place: TSESTree.Node): LiveResult | null {
    const declared = isDeclaredBefore(variable, place) ? this.#kindsOf(variable) : null;
    return declared === null || declared.length === 0 ? null : { variable, declared };
  }

  /** Every result that is at hand at a place: declared before it in the same function. */
  atHand(place: TSESTree.Node): LiveResult[] {
    const fn = enclosingFunction(place);
    if (fn === null) {
      return [];
    }
    return namesAround(this.#source.getScope(place)).flatMap((variable) => {
      const name = variable.defs[0]?.name;
      const isOwn = name !== undefined && contains(fn, name) && enclosingFunction(name) === fn;
      const live = isOwn ? this.resultIn(variable, place) : null;
      return live === null ? [] : [live];
    });
  }

  /** The kinds that a result can still have at a place; null where a check can't be read. */
  kindsAt({ variable, declared }: LiveResult, place: TSESTree.Node): readonly PossibleKind[] | null {
    return kindsAt(place, variable, declared, this.#source) ?? this.#typedKindsIn(place, variable, declared);
  }

  /** Whether a result can have artifacts already: what the project's own code makes shows there whether it has. */
  hasArtifacts({ variable, declared }: LiveResult): boolean {
    return (
      declared.some(({ kind }) => kind === 'text' || kind === 'wrote') &&
      isFromOutside(variable, this.#source)
    );
  }

  // The compiler reads type predicates too, but only where the name stands.
  #typedKindsIn(
    place: TSESTree.Node,
    variable: Variable,
    declared: readonly PossibleKind[],
  ): readonly PossibleKind[] | null {
    const types = this.#types;
    if (types === null) {
      return null;
    }
    const read = descendants(place).find((node) => isRead(node, variable, this.#source)) ?? null;
    const narrowed = read === null ? null : kindsOfType(types.typeOf(read), types);
    if (narrowed === null) {
      return null;
    }
    const left = declared.filter(({ kind }) => narrowed.some((one) => one.kind === kind));
    return kindsAt(place, variable, left, this.#source, (check) => isPredicate(check, types));
  }

  #kindsOf(variable: Variable): readonly PossibleKind[] | null {
    const known = this.#byVariable.get(variable);
    if (known !== undefined) {
      return known;
    }
    const kinds = this.#mayBeResult(variable) ? declaredKinds(variable, this.#source, this.#types) : null;
    this.#byVariable.set(variable, kinds);
    return kinds;
  }

  #mayBeResult(variable: Variable): boolean {
    const type = variable.defs[0]?.type;
    return (
      type === TSESLint.Scope.DefinitionType.Parameter || type === TSESLint.Scope.DefinitionType.Variable
    );
  }
}

/** A call of a function that says of its argument which type it has. */
function isPredicate(check: TSESTree.Node, types: TypeInformation): boolean {
  if (check.type !== AST_NODE_TYPES.CallExpression) {
    return false;
  }
  return types
    .typeOf(check.callee)
    .getCallSignatures()
    .some((signature) => types.checker.getTypePredicateOfSignature(signature) !== undefined);
}

/** The names of a scope and of those around it, globals aside. */
function namesAround(scope: TSESLint.Scope.Scope): readonly Variable[] {
  return scope.upper === null ? [] : [...scope.variables, ...namesAround(scope.upper)];
}

function isDeclaredBefore(variable: Variable, place: TSESTree.Node): boolean {
  const [definition] = variable.defs;
  if (definition === undefined) {
    return false;
  }
  // In its own initial value a name is not there yet.
  return definition.name.range[1] <= place.range[0] && !contains(definition.node, place)
    ? true
    : definition.type === TSESLint.Scope.DefinitionType.Parameter &&
        definition.name.range[1] <= place.range[0];
}
