import type * as fc from 'fast-check'
import type { Thing } from './thing.ts'
import type { World } from './world.ts'

export type Draw = fc.GeneratorValue

/** A body of the record interface, or what it shows. */
export type Older = Readonly<Record<string, unknown>>

/** The members of a resource of the newer generation; of a relationship, what stands in its `data`. */
export interface Newer {
  readonly attributes?: Older
  readonly relationships?: Older
}

/** What a writer sends, and what is so afterwards. */
export interface Said<S, Sent> {
  readonly sent: Sent
  readonly after: S
}

/** Where something is said: of a new record, or of one that is there. */
export interface Saying<S> {
  readonly draw: Draw
  readonly world: World
  readonly before: S
  readonly isNew: boolean
  readonly now: number
  readonly author: Thing
}

/** Where something is shown. */
export interface Showing {
  readonly base: string
  readonly world: World
}

/** One thing that a farmer knows of a record, and how either generation says and shows it. */
export interface Fact<S = unknown> {
  readonly name: string
  /** The fields of the catalogue that keep it. */
  readonly keptIn: readonly string[]
  /** What is so while nobody has said anything: in a record that was made through that door. */
  initial(door: Door, author: Thing): S
  readonly older?: OlderFace<S>
  readonly newer?: NewerFace<S>
}

export interface OlderFace<S> {
  /** A new record has to say it. */
  readonly required?: true
  say(saying: Saying<S>): Said<S, Older>
  show(state: S, showing: Showing): Older
}

export interface NewerFace<S> {
  readonly required?: true
  say(saying: Saying<S>): Said<S, Newer>
  show(state: S, showing: Showing): Newer
  /** Notes what only an answer can tell. */
  learn?(state: S, shown: Newer): void
}

export type Door = 'older' | 'newer'
export const doors: readonly Door[] = ['older', 'newer']
