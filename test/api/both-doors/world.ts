import type { FileKind, FileModel } from './files.ts'
import type { Thing } from './thing.ts'

/** What there is to refer to. */
export interface World {
  readonly users: readonly Thing[]
  terms(vocabulary: string): readonly Thing[]
  assets(type: string): readonly Thing[]
  /** Assets that logs move, and that are no places and no groups. */
  readonly movers: readonly Thing[]
  /** Areas that logs are about, and take place in, but never move anything to. */
  readonly plots: readonly Thing[]
  /** Areas that things are moved to. */
  readonly areas: readonly Thing[]
  /** Assets that things are moved to. */
  readonly places: readonly Thing[]
  readonly groups: readonly Thing[]
  /** A file that no record names yet. */
  upload(kind: FileKind): FileModel
  /** What areas are drawn as; the others are not drawn. */
  shapeOf(thing: Thing): string | undefined
}
