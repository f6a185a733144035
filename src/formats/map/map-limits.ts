import { mebibyte } from '../../fields/byte-size.ts'
import { wktLimits } from '../../fields/wkt/parser.ts'
import { Refusal } from '../../refusal.ts'

/** How much of a map is read; of JSON and XML that are no maps there are other limits. */
export const mapLimits = {
  bytes: 32 * mebibyte,
  features: 50_000,
  depth: 32,
  /** Elements of a KML file; as many attributes. */
  elements: 2_000_000,
  positions: wktLimits.positions,
} as const

export const tooManyFeatures = (): Refusal =>
  new Refusal(
    'too-large',
    `A map may have ${mapLimits.features} features, this one has more: divide it and send its parts one after another.`,
  )

export const tooDeep = (): Refusal =>
  new Refusal('too-large', `A map may be nested ${mapLimits.depth} levels deep, this one is deeper.`)

export const tooManyPositions = (feature: number): Refusal =>
  new Refusal(
    'too-large',
    `features[${feature}]: a shape may have ${mapLimits.positions} positions, this one has more: simplify it, or divide it.`,
  )
