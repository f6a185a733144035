import { areasOfSite, quantitiesOf } from '../history/log-parts.ts'
import type { LogBetween } from '../storage/records/logs-between.ts'
import type { Measured } from './amounts.ts'
import { summandOf } from './exact-sum.ts'
import { inOrder } from './in-order.ts'
import type { KnownThings, Subject } from './known-things.ts'
import { assetsIn, hasLot, materialsIn } from './log-values.ts'

/** What a report asks of a log. Ids stand in order, each once. */
export interface LogFacts {
  readonly id: number
  readonly timestamp: number
  readonly bundle: string
  readonly subject: Subject
  readonly areas: readonly number[]
  readonly materials: readonly number[]
  readonly hasLot: boolean
  readonly measured: readonly Measured[]
}

export function factsOf({ id, timestamp, values }: LogBetween, bundle: string, things: KnownThings): LogFacts {
  const subject = things.subjectOf(assetsIn(values))
  const site = areasOfSite(values)
  const stood = subject.plantings.length > 0 ? subject.plantings : subject.assets
  return {
    id,
    timestamp,
    bundle,
    subject,
    areas: inOrder(site.length > 0 ? site : things.areasOf(stood, timestamp)),
    materials: inOrder(materialsIn(values)),
    hasLot: hasLot(values),
    measured: measuredIn(values, things),
  }
}

/** Quantities that have a value: others say nothing to be added up. */
function measuredIn(values: LogBetween['values'], things: KnownThings): readonly Measured[] {
  const found: Measured[] = []
  for (const { measure, label, unit, value, fraction } of quantitiesOf(values)) {
    if (typeof value !== 'string' || value === '') continue
    const words = things.wordsOf(textIn(measure), textIn(label), typeof unit === 'number' ? unit : 0)
    found.push({
      measure: words.measure,
      label: words.label,
      unit: words.unit,
      kind: words.kind,
      value,
      summand: summandOf(value),
      fraction: typeof fraction === 'string' ? fraction : undefined,
    })
  }
  return found
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
