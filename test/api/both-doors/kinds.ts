import * as fc from 'fast-check'
import type { Draw, Fact } from './fact.ts'
import { newerSent, newerShown, olderSent, olderShown, type Thing } from './thing.ts'
import type { World } from './world.ts'

/** How one kind of value is spelled by either generation. */
interface Kind<S> {
  readonly empty: S
  any(draw: Draw, world: World): S
  readonly older: { sent(state: S): unknown; shown(state: S, base: string): unknown }
  readonly newer: { readonly in: 'attributes' | 'relationships'; sent(state: S): unknown; shown(state: S): unknown }
}

/** What either generation calls a field; without a name, it does not have it. */
interface Names {
  readonly older?: string
  readonly newer?: string
  /** Where the catalogue calls it otherwise than the record interface. */
  readonly kept?: string
  readonly required?: true
}

/** A fact that is one field, spelled alike wherever it stands. */
export function field<S>(kind: Kind<S>, names: Names): Fact<S> {
  const { older, newer, required } = names
  const name = names.kept ?? older ?? newer ?? ''
  const must = required ? ({ required } as const) : {}
  const drawn = (draw: Draw, world: World): S =>
    required || draw(fc.integer, { min: 0, max: 4 }) > 0 ? kind.any(draw, world) : kind.empty
  return {
    name,
    keptIn: [name],
    initial: () => kind.empty,
    ...(older === undefined
      ? {}
      : {
          older: {
            ...must,
            say: ({ draw, world }) => {
              const after = drawn(draw, world)
              return { sent: { [older]: kind.older.sent(after) }, after }
            },
            show: (state, { base }) => present({ [older]: kind.older.shown(state, base) }),
          },
        }),
    ...(newer === undefined
      ? {}
      : {
          newer: {
            ...must,
            say: ({ draw, world }) => {
              const after = drawn(draw, world)
              return { sent: { [kind.newer.in]: { [newer]: kind.newer.sent(after) } }, after }
            },
            show: (state) => ({ [kind.newer.in]: { [newer]: kind.newer.shown(state) } }),
          },
        }),
  }
}

/** The record interface leaves out what is undefined. */
const present = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

const oddTexts = ['plain', 'Müller & <b>Söhne</b> "é" 🌾', "it's ]]> \\ fine", '007', 'two\nlines']

export const anyText = (draw: Draw): string => `${one(draw, oddTexts)} ${draw(fc.integer, { min: 0, max: 99 })}`

export const anySecond = (draw: Draw): number => draw(fc.integer, { min: 0, max: 2_000_000_000 })

export const anyPoint = (draw: Draw): string =>
  `POINT (${draw(fc.integer, { min: -90, max: 90 })} ${draw(fc.integer, { min: -90, max: 90 })})`

/** Some of these, each once, in any order. */
export function some<T>(draw: Draw, all: readonly T[], most = 2): readonly T[] {
  return draw(fc.shuffledSubarray<T>, [...all], { maxLength: Math.min(most, all.length) })
}

export const one = <T>(draw: Draw, all: readonly T[]): T => all[draw(fc.integer, { min: 0, max: all.length - 1 })] as T

const same = <S>(state: S): unknown => state

export const text: Kind<string | null> = {
  empty: null,
  any: (draw) => anyText(draw).replace('\n', ' '),
  older: { sent: same, shown: same },
  newer: { in: 'attributes', sent: same, shown: same },
}

export const longText: Kind<string | null> = { ...text, any: anyText }

export const texts: Kind<readonly string[]> = {
  empty: [],
  any: (draw) => some(draw, ['one', 'Zwei "2"', 'three'], 3),
  older: { sent: same, shown: same },
  newer: { in: 'attributes', sent: same, shown: same },
}

/** Words that both generations have; `flags` are open to others. */
export const flags: Kind<readonly string[]> = {
  ...texts,
  any: (draw) => some(draw, ['priority', 'monitor', 'review', 'südhang'], 3),
}

export const isoTime = (second: number): string => `${new Date(second * 1000).toISOString().slice(0, 19)}+00:00`

export const time: Kind<number | null> = {
  empty: null,
  any: anySecond,
  older: { sent: same, shown: (second) => (second === null ? null : String(second)) },
  newer: { in: 'attributes', sent: same, shown: (second) => (second === null ? null : isoTime(second)) },
}

export const yesNo: Kind<boolean> = {
  empty: false,
  any: (draw) => draw(fc.boolean),
  older: { sent: same, shown: same },
  newer: { in: 'attributes', sent: same, shown: same },
}

export const whole: Kind<number | null> = {
  empty: null,
  any: (draw) => draw(fc.integer, { min: 0, max: 400 }),
  older: { sent: same, shown: (number) => (number === null ? null : String(number)) },
  newer: { in: 'attributes', sent: same, shown: same },
}

export const word = (words: readonly string[]): Kind<string | null> => ({
  ...text,
  any: (draw) => one(draw, words),
})

export const geometry: Kind<string | null> = {
  empty: null,
  any: anyPoint,
  older: { sent: same, shown: same },
  newer: { in: 'attributes', sent: same, shown: shownShape },
}

/** The rest of a shown geometry follows from its text, and is compared elsewhere. */
export function shownShape(wkt: string | null): unknown {
  return wkt === null ? null : { value: wkt }
}

/** Points together: the only shapes of these stories. */
export function together(points: readonly string[]): string | null {
  const single = points.flatMap((point) => [...point.matchAll(/-?\d+ -?\d+/g)].map(([pair]) => pair))
  if (points.length < 2) return points[0] ?? null
  return `MULTIPOINT (${single.map((pair) => `(${pair})`).join(', ')})`
}

export const toOne = (all: (world: World) => readonly Thing[]): Kind<Thing | null> => ({
  empty: null,
  any: (draw, world) => one(draw, all(world)),
  older: {
    sent: (thing) => thing && olderSent(thing),
    shown: (thing, base) => (thing === null ? undefined : olderShown(base)(thing)),
  },
  newer: {
    in: 'relationships',
    sent: (thing) => thing && newerSent(thing),
    shown: (thing) => thing && newerShown(thing),
  },
})

export const toMany = (all: (world: World) => readonly Thing[], least = 0): Kind<readonly Thing[]> => ({
  empty: [],
  any: (draw, world) => {
    const drawn = some(draw, all(world))
    return drawn.length < least ? all(world).slice(0, least) : drawn
  },
  older: {
    sent: (things) => things.map(olderSent),
    shown: (things, base) => things.map(olderShown(base)),
  },
  newer: {
    in: 'relationships',
    sent: (things) => things.map(newerSent),
    shown: (things) => things.map(newerShown),
  },
})

export const terms = (vocabulary: string) => (world: World) => world.terms(vocabulary)
