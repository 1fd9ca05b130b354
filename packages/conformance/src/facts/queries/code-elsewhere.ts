import type { LoadedProject } from '../../load/loaded-project.js';
import { ImplementingMembers } from './implementing-members.js';
import { LoadedFiles } from './loaded-files.js';

/** What in the project runs without being named where it runs. */
export class CodeElsewhere {
  /** The code for what own interfaces and abstract classes declare without any. */
  readonly implementing: ImplementingMembers;
  readonly loaded: LoadedFiles;

  constructor(project: LoadedProject) {
    this.implementing = new ImplementingMembers(project);
    this.loaded = new LoadedFiles(project);
  }
}
