export { classifyCommand, classifyShell } from './classify/command.js';
export { classifyGraphql } from './classify/graphql.js';
export { classifyHttp, type HttpRequest } from './classify/http.js';
export type { Judgement } from './classify/judgement.js';
export { classifyOpenFlag } from './classify/open-flag.js';
export { readVerbs } from './classify/shipped-verbs.js';
export { classifySql, prepareSqlParser, type SqlOptions, type SqlParser } from './classify/sql.js';
export { isTemporaryPath } from './classify/temporary-path.js';
export { retryAdviceIn } from './classify/retry-advice.js';
export { VerbReader, wordsOf, type VerbReading } from './classify/verb.js';
export { CatalogueError, type CatalogueErrorCode } from './errors.js';
export { loadCatalogue } from './load/load-catalogue.js';
export { callbackIndices } from './lookup/argument-place.js';
export { Catalogue } from './lookup/catalogue.js';
export { pathText, type CatalogueValue, type Entry } from './lookup/catalogue-value.js';
export {
  abstractOf,
  alternativesOf,
  constant,
  inputOf,
  isAbsent,
  textOf,
  textPartsOf,
  UNKNOWN,
  type AbstractValue,
} from './model/abstract-value.js';
export type {
  CallFacts,
  ChainedCall,
  EffectClassification,
  EffectCondition,
} from './model/classification.js';
export {
  convergenceOf,
  EFFECT_CLASSES,
  EFFECT_RANK,
  isWriteKind,
  READ_KINDS,
  WRITE_KINDS,
  type Confidence,
  type Convergence,
  type EffectClass,
  type EffectKind,
  type Reach,
  type ReadKind,
  type WriteKind,
} from './model/effect.js';
export type { ExtraEntry, LibraryFile, SqlDialect } from './model/library-file.js';
export { findSink, GLOBALS, type EffectSink, type Lookup } from './sinks.js';
