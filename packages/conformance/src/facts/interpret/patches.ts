import type { ts } from '../../../engine/typescript.mjs';
import { join } from '../values/join.js';
import { NEVER, UNDEFINED, unknownValue } from '../values/make.js';
import type { Alternative, CallSite, ExternalValue, Point, Value } from '../values/value.js';
import { plainModule } from '../queries/external-names.js';
import type { PatchedMember } from '../queries/patched-members.js';
import type { Machine } from './machine.js';
import { functionsIn } from './touchy-values.js';

// Globals, members of libraries and methods of every list or text that the project puts its own code for:
// what is called by their name is no longer what the library says.

/** Members that run without being named where they run. */
const IMPLICIT =
  /^(?:Error\.prepareStackTrace|(?:\w+\.)?prototype\.(?:then|exec|toString|valueOf|toJSON|next|return|constructor|join|push|call|apply|\*|@@\w+)|(?:\w+\.)?@@\w+)$/u;
/** Replacing these replaces whole modules. */
const LOADER =
  /^(?:require\.(?:cache|extensions)\b|(?:Module|default)?\.?(?:_load|_extensions|_resolveFilename|_compile|prototype\.(?:require|_compile|load)))/u;

interface PatchedMembers {
  readonly byPath: ReadonlyMap<string, readonly PatchedMember[]>;
  /** Members of prototypes, by their name alone. */
  readonly byName: ReadonlyMap<string, readonly PatchedMember[]>;
}

export class Patches {
  readonly #machine: Machine;
  readonly #find: () => readonly PatchedMember[];
  #known: PatchedMembers | null = null;
  #implicit: readonly PatchedMember[] = [];
  readonly #running = new Set<ts.Node>();

  constructor(machine: Machine, find: () => readonly PatchedMember[]) {
    this.#machine = machine;
    this.#find = find;
  }

  /** What the project put in the place of a member that is read; no value where it did not. */
  of(receiver: Value, name: string, at: Point): Value {
    const known = this.#members();
    if (known.byPath.size === 0 && known.byName.size === 0) {
      return NEVER;
    }
    return join(
      ...receiver.alternatives.map((one): Value => {
        const own = one.kind === 'external' ? known.byPath.get(keyOf(one, name)) : undefined;
        const shared = hasOwn(one) ? undefined : known.byName.get(name);
        return this.#values([...(own ?? []), ...(shared ?? [])], at);
      }),
    );
  }

  /** The same for a global by its name. */
  ofGlobal(name: string, at: Point): Value {
    return this.#values(this.#members().byPath.get(`#${name}`) ?? [], at);
  }

  /** Runs what may run in any code at all. */
  runImplicit(node: ts.Node, at: Point): void {
    this.#members();
    for (const patch of this.#implicit) {
      if (patch.module !== '' && LOADER.test(patch.path)) {
        this.#machine.effects.unknown(node, `modules are replaced when they are loaded`, at);
        continue;
      }
      const site: CallSite = { node, self: UNDEFINED, callee: UNDEFINED, args: [], spread: null, at };
      for (const one of this.#values([patch], at).alternatives) {
        if (one.kind === 'function') {
          this.#machine.callBack(one, site, null, { isHeld: true });
        } else if (one.kind === 'opaque' && one.unknown !== '') {
          this.#machine.effects.unknown(node, one.unknown, at);
        }
      }
    }
  }

  #values(patches: readonly PatchedMember[], at: Point): Value {
    return join(...patches.map((patch) => this.#valueOf(patch, at)));
  }

  #valueOf({ value, path, isDescriptor, node }: PatchedMember, at: Point): Value {
    if (value === null) {
      return unknownValue(`the project replaces \`${path}\``, node);
    }
    if (this.#running.has(value)) {
      return NEVER;
    }
    this.#running.add(value);
    const given = this.#machine.evaluateInModule(value, at);
    this.#running.delete(value);
    const functions = isDescriptor ? { alternatives: [...functionsIn(this.#machine, given, at)] } : given;
    return { alternatives: functions.alternatives.filter(mayBeCalled) };
  }

  #members(): PatchedMembers {
    if (this.#known === null) {
      const byPath = new Map<string, PatchedMember[]>();
      const byName = new Map<string, PatchedMember[]>();
      const all = this.#find();
      this.#known = { byPath, byName };
      for (const patch of all) {
        const shared = /(?:^|\.)prototype\.([^.]+)$/u.exec(patch.path)?.[1];
        const [map, key] =
          shared === undefined ? [byPath, `${plainModule(patch.module)}#${patch.path}`] : [byName, shared];
        map.set(key, [...(map.get(key) ?? []), patch]);
      }
      this.#implicit = all.filter(({ path }) => IMPLICIT.test(path) || LOADER.test(path));
    }
    return this.#known;
  }
}

/** What holds no code replaces none. */
function mayBeCalled(one: Alternative): boolean {
  return one.kind !== 'literal' && one.kind !== 'result' && one.kind !== 'target';
}

/** An instance of a class of the project's own has the members of its class first. */
function hasOwn(one: Alternative): boolean {
  return (one.kind === 'object' && one.of !== null) || one.kind === 'class' || one.kind === 'module';
}

function keyOf({ module, path, importedAs }: ExternalValue, name: string): string {
  const full = path === '' ? name : `${path}.${name}`;
  const plain = full.replace(/^"[^"]*"\.?/u, '').replace(/^(?:(?:globalThis|window|self|global)\.)+/u, '');
  const from = importedAs?.module ?? module;
  return `${from === '@types/node' && importedAs === undefined ? '' : plainModule(from)}#${plain.replace(/^default\./u, '')}`;
}
