import { createContext } from 'preact'
import type { PickOf } from './choosable.ts'
import type { Reference } from './reference-value.ts'

export interface NewAsked {
  readonly of: PickOf
  readonly name: string
  readonly onMade: (reference: Reference) => void
}

/** How a form makes something that is not there yet, where it is referred to; null where it cannot. */
export const NewRecord = createContext<((asked: NewAsked) => void) | null>(null)
