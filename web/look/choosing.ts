import { createContext } from 'preact'

/** Where several records of a list are chosen, by the addresses of their pages. */
export interface Chooser {
  readonly isChosen: (page: string) => boolean
  readonly choose: (page: string) => void
}

export const Choosing = createContext<Chooser | null>(null)
