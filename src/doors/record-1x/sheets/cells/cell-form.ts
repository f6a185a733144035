import type { ReferableType } from '../../../../fields/field.ts'
import type { KnownName } from './named.ts'

/** How the cells of a sheet are written. */
export interface CellForm {
  readonly times: 'iso' | 'unix'
  /** The time zone of the farm. */
  readonly zone: string
  readonly refs: 'name' | 'id'
  nameOf(type: ReferableType, id: number): KnownName | undefined
  addressOfFile(id: number): string
}
