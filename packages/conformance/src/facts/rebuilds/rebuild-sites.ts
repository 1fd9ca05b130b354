import type { ts } from '../../../engine/typescript.mjs';
import type { LoadedProject } from '../../load/loaded-project.js';
import type { RebuildFact, RebuiltField } from '../../model/fact-base.js';
import type { WitnessStep } from '../../model/location.js';
import type { PreservedType } from '../queries/preserved-types.js';
import { worst, type Fate, type Source } from './field-fates.js';

interface Site {
  readonly node: ts.Node;
  readonly preserved: PreservedType;
  readonly fields: Map<string, { fate: Fate; source: Source; made: ts.Node }>;
}

/** The places that rebuild a value, each once: whatever goes wrong on one of its paths goes wrong there. */
export class RebuildSites {
  readonly #sites = new Map<ts.Node, Map<string, Site>>();

  add(
    node: ts.Node,
    source: Source,
    preserved: PreservedType,
    fates: ReadonlyMap<string, Fate>,
    made: ts.Node,
  ): void {
    const byType = this.#sites.get(node) ?? new Map<string, Site>();
    const site: Site = byType.get(preserved.name) ?? { node, preserved, fields: new Map() };
    for (const [name, fate] of fates) {
      const known = site.fields.get(name);
      const joined = known === undefined ? fate : worst([known.fate, fate]);
      if (joined !== known?.fate) {
        site.fields.set(name, { fate: joined, source, made });
      }
    }
    byType.set(preserved.name, site);
    this.#sites.set(node, byType);
  }

  facts(project: LoadedProject, toolOf: (node: ts.Node) => string | null): readonly RebuildFact[] {
    const isChecked = new Set(project.sourceFiles);
    const facts: RebuildFact[] = [];
    for (const byType of this.#sites.values()) {
      for (const { node, preserved, fields } of byType.values()) {
        if (isChecked.has(node.getSourceFile())) {
          facts.push({
            location: project.locate(node),
            toolId: toolOf(node),
            type: preserved.name,
            fields: [...fields].map(([name, field]) => rebuiltField(project, name, field, node)),
            witness: [{ ...project.locate(node), message: `a new ${preserved.name} is made here` }],
          });
        }
      }
    }
    return facts.sort((a, b) => compare(a, b));
  }
}

function rebuiltField(
  project: LoadedProject,
  name: string,
  { fate, source, made }: { fate: Fate; source: Source; made: ts.Node },
  node: ts.Node,
): RebuiltField {
  if (fate.fate === 'kept') {
    return { name, fate: 'kept', why: '', witness: [] };
  }
  const own = new Set(project.ownFiles);
  const witness: WitnessStep[] = [];
  if (own.has(source.live.place.getSourceFile())) {
    witness.push({
      ...project.locate(source.live.place),
      message: `\`${name}\` comes in here with ${source.live.description}`,
    });
  }
  if (made !== node && own.has(made.getSourceFile())) {
    witness.push({ ...project.locate(node), message: 'the new value comes from here' });
  }
  witness.push({ ...project.locate(made), message: `\`${name}\`: ${fate.why}` });
  return { name, fate: fate.fate, why: fate.why, witness };
}

function compare(a: RebuildFact, b: RebuildFact): number {
  return (
    a.location.file.localeCompare(b.location.file, 'en') ||
    a.location.line - b.location.line ||
    a.location.column - b.location.column ||
    a.type.localeCompare(b.type, 'en')
  );
}
