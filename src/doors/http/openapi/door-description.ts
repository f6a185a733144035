import type { Paths } from './operations.ts'
import type { Schema } from './schema.ts'

/** What a door says of itself in the description of the interface. */
export interface DoorDescription {
  readonly tags?: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly schemas?: Readonly<Record<string, Schema>>
  readonly parameters?: Readonly<Record<string, Schema>>
}
